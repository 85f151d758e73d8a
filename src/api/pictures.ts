/** The organization's icon and logos. A picture that is uploaded is the one file of a multipart body. */
import { operation } from "../wire/operation.ts";
import { json } from "../wire/params.ts";
import { boolean, string } from "../wire/types.ts";

const who = { role: "administrator" } as const;

export const showIcon = operation({
  name: "icon.show",
  method: "GET",
  path: "/realm/icon",
  doc: "Lead to the organization's icon.",
  params: {},
  result: {},
});

export const uploadIcon = operation({
  name: "icon.add",
  method: "POST",
  path: "/realm/icon",
  doc: "Give the organization an icon.",
  who,
  params: {},
  result: { icon_url: string },
  target: () => "icon",
});

export const removeIcon = operation({
  name: "icon.rm",
  method: "DELETE",
  path: "/realm/icon",
  doc: "Take the organization's icon away.",
  who,
  params: {},
  result: { icon_url: string },
  target: () => "icon",
});

const params = { night: json(boolean, { doc: "The logo for dark colours." }) };
const target = ({ night }: { night: boolean }) => (night ? "night logo" : "logo");

export const uploadLogo = operation({
  name: "logo.add",
  method: "POST",
  path: "/realm/logo",
  doc: "Give the organization a logo.",
  who,
  params,
  result: {},
  target,
});

export const removeLogo = operation({
  name: "logo.rm",
  method: "DELETE",
  path: "/realm/logo",
  doc: "Take a logo of the organization away.",
  who,
  params,
  result: {},
  target,
});
