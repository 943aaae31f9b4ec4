import assert from "node:assert/strict";
import { RevisionLog } from "../../../plugins/history/revision-log.js";
import { History } from "../../../plugins/history/service.js";
import { bootSite } from "../../support/boot-site.js";
import { useFolder } from "../../support/folder.js";

describe("the service history", () => {
  const folder = useFolder();

  it("keeps a text once that the watcher saw before its writer told of it, after the one before", async () => {
    const path = "01.a/default.md";
    const site = await bootSite({ plugins: ["content"], files: { [`content/${path}`]: "two\n" } });
    try {
      const history = new History({
        content: site.site.use("content"),
        log: new RevisionLog(folder.path, 9),
        clock: { now: () => 1 },
        logger: site.site.context("content").log,
        git: () => ({ enabled: false, commits: 0, pending: 0, failed: 0, lastError: null }),
        committed: async () => undefined,
      });
      history.found(path);
      await history.settled();
      const [before, after] = [Buffer.from("one\n"), Buffer.from("two\n")];
      const changes = [{ op: "write", path, before, after } as const];
      await history.applied({ changes, actor: null, message: "say two", at: 1 });
      await history.settled();
      const list = await history.list(path);
      assert.deepEqual(
        list.map(({ kind, message }) => [kind, message]),
        [
          ["saved", "say two"],
          ["found", ""],
        ],
      );
      assert.equal((await history.get(path, list[1]?.n ?? 0))?.content, "one\n");
    } finally {
      await site.close();
    }
  });
});
