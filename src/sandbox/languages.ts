/** Languages that servers speak, by their codes. */
export const languages: ReadonlySet<string> = new Set(
  "ar be bg bn bqi ca cs cy da de en en-gb eo es et eu fa fi fr gl gu hi hr hu id it ja ko lt lv ml mn nl no pl pt pt-br pt-pt ro ru si sr sv ta tl tr uk uz vi zh-hans zh-hant zh-tw".split(
    " ",
  ),
);
