// What somebody writes who needs it once: built-in fetch, JSON.parse, print. The form is the argument.
const { ZULIP_SITE, ZULIP_EMAIL, ZULIP_API_KEY } = process.env;
const authorization = `Basic ${btoa(`${ZULIP_EMAIL}:${ZULIP_API_KEY}`)}`;
const response = await fetch(`${ZULIP_SITE}/api/v1/users`, { headers: { authorization } });
const { members } = JSON.parse(await response.text());

const quoted = (value) => {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const line = (values) => `${values.map(quoted).join(",")}\r\n`;
const forms = {
  json: () => `${JSON.stringify(members)}\n`,
  ndjson: () => members.map((member) => `${JSON.stringify(member)}\n`).join(""),
  ids: () => members.map(({ user_id }) => `${user_id}\n`).join(""),
  csv: () => line(Object.keys(members[0])) + members.map((member) => line(Object.values(member))).join(""),
};
process.stdout.write(forms[process.argv[2]]());
