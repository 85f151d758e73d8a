import { getLinkifiers } from "../../api/linkifiers.ts";
import { on } from "../router.ts";

export const linkifierRoutes = [
  on(getLinkifiers, { silent: true }, ({ state, level }) => ({
    linkifiers: state.linkifiers.map(
      ({ id, pattern, url_template, example_input, reverse_template, alternative_url_templates }) => ({
        pattern,
        url_template,
        id,
        ...(level < 471 ? {} : { example_input, reverse_template }),
        ...(level < 478 ? {} : { alternative_url_templates }),
      }),
    ),
  })),
];
