import { addLinkifier, getLinkifiers } from "../../api/linkifiers.ts";
import { judge } from "../../notation/linkifier.ts";
import { trim } from "../../notation/space.ts";
import { ApiError, Broken, refused } from "../api-error.ts";
import { on } from "../router.ts";
import { nextId } from "../state.ts";

const nul = "\u0000";

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

  on(addLinkifier, { who: "administrator" }, ({ state, level }, given) => {
    if (level < 176) {
      const name = "url_format_string";
      throw new ApiError(400, "REQUEST_VARIABLE_MISSING", `Missing '${name}' argument`, { var_name: name });
    }
    const { example_input, reverse_template, alternative_url_templates = [] } = given;
    const candidate = {
      pattern: trim(given.pattern),
      url_template: trim(given.url_template),
      example_input: trim(example_input ?? "") || null,
      reverse_template: trim(reverse_template ?? "") || null,
      alternative_url_templates,
    };
    // The database takes no NUL: it breaks when asked for the pattern, whatever else is wrong, or when it is to keep the rest.
    if (candidate.pattern.includes(nul)) throw new Broken();
    const refusal = judge(candidate, (pattern) => state.linkifiers.some((each) => each.pattern === pattern));
    if (refusal) throw refused(refusal.msg, { errors: refusal.errors });
    if (Object.values(candidate).some((value) => String(value).includes(nul))) throw new Broken();
    const id = nextId(state, "linkifier");
    state.linkifiers.push({ id, ...candidate });
    return { id };
  }),
];
