import { addDomain, removeDomain, updateDomain } from "../../src/api/domains.ts";
import type { domainNoun } from "../../src/commands/domain.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type CasesOf, change, read } from "./case.ts";

const addDomains = ({ domains }: SandboxState) =>
  void domains.push(
    { id: 1, domain: "example.com", allow_subdomains: false },
    { id: 2, domain: "example.org", allow_subdomains: true },
  );

const onlyOwners = "Must be an organization owner\nOnly owners can do this.";

export const cases: CasesOf<typeof domainNoun> = {
  add: change(addDomain, {
    lines: [
      {
        typed: "Example.COM --allow-subdomains",
        sends: "POST /realm/domains domain=example.com&allow_subdomains=true",
        prints: 'Added domain "example.com".\n',
        made: ({ domains }) =>
          domains.some(({ domain, allow_subdomains }) => domain === "example.com" && allow_subdomains),
      },
    ],
    wire: [["example.com", "POST /realm/domains domain=example.com&allow_subdomains=false"]],
    refused: [
      { typed: "example", says: "Invalid domain: Domain must have at least one dot (.)" },
      { typed: "example.com", as: 200, says: onlyOwners },
    ],
  }),

  update: change(updateDomain, {
    lines: [
      {
        typed: "EXAMPLE.com --allow-subdomains",
        given: addDomains,
        sends: "PATCH /realm/domains/example.com allow_subdomains=true",
        prints: 'Updated domain "example.com": allow subdomains.\n',
        made: ({ domains }) => domains[0]?.allow_subdomains === true,
        ignoring: { params: ["allow_subdomains"], code: 1 },
      },
    ],
    wire: [["example.org --no-allow-subdomains", "PATCH /realm/domains/example.org allow_subdomains=false"]],
    refused: [
      { typed: "example.net --allow-subdomains", says: "No entry found for domain example.net." },
      {
        typed: "example.com",
        code: 2,
        says: 'domain update requires at least one flag that says what to change\nRun "zulipctl domain update --help" for usage.',
      },
    ],
  }),

  rm: change(removeDomain, {
    several: true,
    lines: [
      {
        typed: "Example.com --yes",
        given: addDomains,
        sends: "DELETE /realm/domains/example.com",
        prints: 'Removed domain "example.com".\n',
        made: ({ domains }) => 2 - domains.length,
      },
      {
        typed: "- --yes",
        input: "EXAMPLE.com\nexample.org\n",
        given: addDomains,
        sends: ["DELETE /realm/domains/example.com", "DELETE /realm/domains/example.org"],
        of: 2,
        made: ({ domains }) => 2 - domains.length,
      },
    ],
    refused: [{ typed: "example.net --yes", says: "No entry found for domain example.net." }],
  }),

  list: read({
    lines: [
      {
        typed: "",
        given: addDomains,
        sends: "GET /realm/domains",
        ids: "example.com\nexample.org\n",
        json: '[{"domain":"example.com","allow_subdomains":false},\n{"domain":"example.org","allow_subdomains":true}]\n',
      },
    ],
  }),
};
