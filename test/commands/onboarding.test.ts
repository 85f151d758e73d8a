/** Member lists as other systems export them: run twice, the second run changes nothing. */
import { describe, expect, test } from "vitest";
import { batch } from "../batch/rows.ts";
import { fresh } from "../run.ts";

interface Export {
  head: string;
  /** Somebody new, somebody with an account, and somebody who has left. */
  rows: readonly [string, string, string];
  address: string;
  here: readonly string[];
  gone: readonly string[];
}

const exports: Readonly<Record<string, Export>> = {
  "Google Workspace": {
    head: "First Name [Required],Last Name [Required],Email Address [Required],Org Unit Path [Required],Status [READ ONLY]",
    rows: [
      "Ada,L,ada@new.example,/,Active",
      "Otis,M,otis@sandbox.example,/,Active",
      "Cora,M,cora@sandbox.example,/,Suspended",
    ],
    address: "{Email Address [Required]}",
    here: ["--where", "Status [READ ONLY]=Active"],
    gone: ["--where", "Status [READ ONLY]=Suspended"],
  },
  Okta: {
    head: "login,firstName,lastName,email,status",
    rows: [
      "ada,Ada,L,ada@new.example,ACTIVE",
      "otis,Otis,M,otis@sandbox.example,ACTIVE",
      "cora,Cora,M,cora@sandbox.example,DEPROVISIONED",
    ],
    address: "{email}",
    here: ["--where", "status=active"],
    gone: ["--where", "status=Deprovisioned"],
  },
  Entra: {
    head: "\uFEFFversion:v1.0\nuserPrincipalName,displayName,mail,objectId,userType,accountEnabled",
    rows: [
      "ada@new.example,Ada,ada@new.example,1f,Member,True",
      "otis@new.example,Otis,otis@sandbox.example,2f,Member,True",
      "cora@new.example,Cora,cora@sandbox.example,3f,Member,False",
    ],
    address: "{mail}",
    here: ["--where", "accountEnabled=True", "--where", "userType=Member"],
    gone: ["--where", "accountEnabled=False"],
  },
  Slack: {
    head: "username,email,status,billing-active,has-2fa,has-sso,userid,fullname,displayname",
    rows: [
      "ada,ada@new.example,Member,1,0,0,U1,Ada,ada",
      "otis,otis@sandbox.example,Admin,1,0,0,U2,Otis,otis",
      "cora,cora@sandbox.example,Deactivated,0,0,0,U3,Cora,cora",
    ],
    address: "{email}",
    here: ["--where", "status!=Deactivated", "--where", "status!=Bot"],
    gone: ["--where", "status=Deactivated"],
  },
  Moodle: {
    head: '\uFEFF"First name";"Last name";"Email address";"Groups"',
    rows: [
      '"Ada";"L";"ada@new.example";"a, b"',
      '"Otis";"M";"otis@sandbox.example";"a"',
      '"Cora";"M";"cora@sandbox.example";"left"',
    ],
    address: "{Email address}",
    here: ["--where", "Groups!=left"],
    gone: ["--where", "Groups=left"],
  },
};

describe.each(Object.entries(exports))("the members of %s", (_, { head, rows, address, here, gone }) => {
  const files = () => new Map([["members.csv", `${[head, ...rows].join("\r\n")}\r\n`]]);

  test("are invited or added once", async () => {
    const options = { sandbox: fresh(), files: files(), logs: new Map<string, string>() };
    const invite = ["invite", "add", address, "--channel", "design", "--group", "designers", "--add-existing"];
    const argv = ["members.csv", ...here, "--skip-empty", "--", ...invite];
    const first = await batch(argv, options);
    expect(first.outcomes).toEqual(["1 done", "2 done", "3 not_selected"]);
    expect(first.changes.some((change) => change.includes("invitee_emails=ada@new.example"))).toBe(true);
    const second = await batch(argv, options);
    expect(second.err).toBe("zulipctl: 2 of 2 rows done (2 unchanged), 1 row not selected\n");
    expect(second.code).toBe(0);
  });

  test("are deactivated once", async () => {
    const options = { sandbox: fresh(), files: files() };
    const argv = ["members.csv", ...gone, "--yes", "--", "users", "deactivate", address];
    const first = await batch(argv, options);
    expect(first.outcomes).toEqual(["1 not_selected", "2 not_selected", "3 done"]);
    expect(first.changes).toEqual(["DELETE /users/11"]);
    const second = await batch(argv, options);
    expect(second.err).toBe("zulipctl: 1 of 1 row done (1 unchanged), 2 rows not selected\n");
    expect(second.code).toBe(0);
  });
});
