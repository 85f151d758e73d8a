import { getExports } from "../../api/exports.ts";
import { questionAbout } from "../../cli/question.ts";
import { when } from "../../output/when.ts";

/** With the times at which the exports were asked for. */
export const question = questionAbout<number>({
  async read(server) {
    const { exports } = await server.call(getExports, {});
    const known = new Map(exports.map((each) => [each.id, each]));
    return (id) => {
      const found = known.get(id);
      return found ? `${id} (asked for ${when(found.export_time)})` : `${id} (not found)`;
    };
  },
  one: (told) => `Delete the file of export ${told}`,
});
