// What somebody writes who needs it once: the channels of a folder, by its name. The form is the argument.
const { ZULIP_SITE, ZULIP_EMAIL, ZULIP_API_KEY } = process.env;
const authorization = `Basic ${btoa(`${ZULIP_EMAIL}:${ZULIP_API_KEY}`)}`;
const get = async (path) => (await fetch(`${ZULIP_SITE}/api/v1${path}`, { headers: { authorization } })).json();
const { channel_folders } = await get("/channel_folders");
const { id } = channel_folders.find(({ name }) => name === "Projects");
const { streams } = await get("/streams?include_all=true&include_default=true");
const found = streams.filter(({ folder_id }) => folder_id === id);
const forms = {
  json: () => `${JSON.stringify(found)}\n`,
  ids: () => found.map(({ stream_id }) => `${stream_id}\n`).join(""),
};
process.stdout.write(forms[process.argv[2]]());
