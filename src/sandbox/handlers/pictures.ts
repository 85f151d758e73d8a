/** The organization's icon and logos. Of a picture only that there is one is kept. */
import { removeIcon, removeLogo, showIcon, uploadIcon, uploadLogo } from "../../api/pictures.ts";
import { empty, NoJson } from "../answer.ts";
import { pictureChanged } from "../events/organization.ts";
import type { OrganizationPicture } from "../organization-state.ts";
import { insistOnPicture, pictureRecord } from "../pictures.ts";
import { type Call, on } from "../router.ts";

const logo = (night: boolean): OrganizationPicture => (night ? "night_logo" : "logo");

function set(call: Call, name: OrganizationPicture, own: boolean): Record<string, string> {
  const { pictures } = call.state.organization;
  pictures[name] = { own, version: pictures[name].version + 1 };
  pictureChanged(call, name);
  return pictureRecord(call.state, call.site, name);
}

const iconUrl = ({ icon_url }: Record<string, string>) => ({ icon_url });

export const pictureRoutes = [
  on(showIcon, { silent: true }, ({ state, site }) => {
    throw new NoJson(empty(302, { location: pictureRecord(state, site, "icon").icon_url! }));
  }),
  on(uploadIcon, { who: "administrator", silent: true }, (call) => {
    insistOnPicture(call.files, "You must upload exactly one icon.");
    return iconUrl(set(call, "icon", true));
  }),
  on(removeIcon, { who: "administrator", silent: true }, (call) => iconUrl(set(call, "icon", false))),

  on(uploadLogo, { who: "administrator" }, (call, { night }) => {
    insistOnPicture(call.files, "You must upload exactly one logo.");
    set(call, logo(night), true);
    return {};
  }),
  on(removeLogo, { who: "administrator" }, (call, { night }) => {
    set(call, logo(night), false);
    return {};
  }),
];
