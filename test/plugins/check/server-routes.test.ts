import assert from "node:assert/strict";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { useFolder } from "../../support/folder.js";
import { startProcess } from "../../support/processes/site-process.js";

const MEMBERS = `export default {
  name: "members",
  version: "1.0.0",
  requires: ["auth"],
  setup(site) {
    site.http.route({
      method: "get",
      path: "/members-only",
      summary: "Members",
      handler: (req, res) => res.end("members"),
    });
  },
};
`;
const SITE = `title: Notes
plugins: { members: { src: ./members.mjs } }
auth: { providers: { magicLink: { enabled: true } } }
`;
const LINKS =
  "# Home\n\n[in](/auth/login) [panel](/admin/pages) [own](/members-only) [no](/none)\n";

describe("content:check and the routes of plugins that only a server needs", function () {
  this.timeout(60_000);
  const folder = useFolder();

  /** The report of a site with these files besides its home page. */
  async function check(files: Record<string, string>): Promise<string> {
    const all = { "members.mjs": MEMBERS, "site.yaml": SITE, "content/index.md": LINKS, ...files };
    for (const [path, text] of Object.entries(all))
      await atomicWrite(join(folder.path, path), text);
    const { text, ended } = startProcess(["content:check", "--root", folder.path]);
    await ended();
    return text();
  }

  it("reports no link to them", async () => {
    assert.match(await check({}), /^index\.md:3 {2}error {2}"\/none" .*\n1 errors, 0 warnings\n$/);
  });

  it("reports the pages that they hide", async () => {
    const page = "---\nslug: members-only\n---\n# Members\n";
    const report = await check({ "content/members/default.md": page });
    assert.match(report, /members\/default\.md {2}error .*\(ERR_CONTENT_UNREACHABLE\)/);
  });

  it("says why it does not know them where the server would not start", async () => {
    const site = SITE.replace(
      "{ magicLink: { enabled: true } }",
      "{ github: { clientId: $NO_ID, clientSecret: $NO_ID } }",
    );
    const report = await check({ "site.yaml": site });
    assert.match(report, /routes of plugins that only a server needs are unknown: .*configuration/);
    assert.match(report, /"\/none" does not exist/);
  });
});
