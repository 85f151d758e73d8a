import { updateChannel } from "../../src/api/channels.ts";
import type { apiNoun } from "../../src/commands/api.ts";
import { type CasesOf, change, usage } from "./case.ts";

export const cases: CasesOf<typeof apiNoun> = change(updateChannel, {
  called: "api",
  lines: [
    {
      typed: "PATCH /streams/2 -f description='a b' -F is_default_stream=false",
      sends: "PATCH /streams/2 description=a+b&is_default_stream=false",
      prints: "{}\n",
      json: "{}\n",
      ids: "",
      shows: [
        "PATCH https://chat.example/api/v1/streams/2  api",
        '  description = "a b"',
        "  is_default_stream = false",
        "",
      ].join("\n"),
      made: ({ channels }) => channels.get(2)!.description === "a b" && !channels.get(2)!.is_default,
      parts: ["is_default_stream", "description"],
    },
    { typed: "GET /streams/2/members", sends: "GET /streams/2/members" },
  ],
  wire: Object.entries({
    "GET users/me": "GET /users/me",
    "get users/me": "GET /users/me",
    "users/me": "GET /users/me",
    "patch /streams/2 -f description=x": "PATCH /streams/2 description=x",
    "channel_folders/create -f name=x -f description=": "POST /channel_folders/create name=x&description=",
    "/default_streams -F stream_id=2": "POST /default_streams stream_id=2",
    "GET users -F client_gravatar=false": "GET /users?client_gravatar=false",
    "GET api/v1/users/me": "GET /users/me",
    "GET /api/v1/users/me": "GET /users/me",
    "GET https://chat.example/api/v1/users/me": "GET /users/me",
    "GET '/users?client_gravatar=false' -f 'a=x y'": "GET /users?client_gravatar=false&a=x+y",
    "GET /users/iris@sandbox.example": "GET /users/iris@sandbox.example",
    "GET /users/Größe": "GET /users/Gr%C3%B6%C3%9Fe",
    "GET '/users/{user_id}' -f user_id=7": "GET /users/%7Buser_id%7D?user_id=7",
    "POST /streams/2/nothing": "POST /streams/2/nothing",
    "PUT /x -F a=12345678901234567890 -F 'b=[1, 2]' -F c='\"d\"'":
      "PUT /x a=12345678901234567890&b=%5B1%2C+2%5D&c=%22d%22",
    "DELETE /default_streams -F stream_id=2": "DELETE /default_streams stream_id=2",
  }),
  refused: [
    { typed: "PATCH /streams/99 -f description=x", says: "Invalid channel ID" },
    {
      typed: "PATCH /streams/2 -f description=x",
      as: 400,
      says: "You do not have permission to administer this channel.",
    },
    ...usage({
      "fetch /users": 'invalid <METHOD> "fetch": must be one of GET, POST, PATCH, PUT, DELETE',
      "": 'missing argument: <path>\nRun "zulipctl api --help" for usage.',
      PATCH: 'missing argument: <path>\nRun "zulipctl api --help" for usage.',
    }),
  ],
});
