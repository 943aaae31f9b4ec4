import assert from "node:assert/strict";
import { silentLog } from "#kernel";
import { Announcer, pageEvents } from "../../../plugins/content/announce.js";
import { changesBetween } from "../../../plugins/content/changes.js";
import { deferred } from "../../support/deferred.js";
import { indexOf, type Sources } from "../../support/content-tree.js";

type Hooks = ConstructorParameters<typeof Announcer>[0];

/** The hooks that a change fires, each as its name and what it says. */
function announced(first: Sources, second: Sources): string[] {
  const told: string[] = [];
  const hooks: Pick<Hooks, "notify"> = {
    notify: (name, data) => void told.push(`${name} ${Object.values(data).join(" ")}`),
  };
  const before = indexOf(first);
  const after = indexOf(second, {}, before);
  const announcer = new Announcer(hooks, silentLog);
  announcer.tell(pageEvents({ changes: changesBetween(before, after), before, after }));
  return told;
}

describe("page events", () => {
  const page = "---\ntitle: A\n---\nbody";

  it("tells of a page that came, changed or went", () => {
    assert.deepEqual(announced({}, { "a.md": page }), ["onPageCreate a.md A"]);
    assert.deepEqual(announced({ "a.md": page }, { "a.md": `${page}!` }), ["onPageUpdate a.md A"]);
    assert.deepEqual(announced({ "a.md": page }, {}), ["onPageDelete a.md"]);
  });

  it("says nothing of a file whose bytes are the same", () => {
    assert.deepEqual(announced({ "a.md": page }, { "a.md": page }), []);
  });

  it("tells of another status", () => {
    const draft = page.replace("title", "status: draft\ntitle");
    assert.deepEqual(announced({ "a.md": draft }, { "a.md": page }), [
      "onPageUpdate a.md A",
      "onWorkflowChange a.md draft published",
    ]);
  });

  it("takes a file that cannot be read for a moment neither for gone nor for new", () => {
    const broken = "---\ntitle: A\n";
    assert.deepEqual(announced({ "a.md": page }, { "a.md": broken }), []);
    assert.deepEqual(announced({ "a.md": broken }, { "a.md": page }), ["onPageUpdate a.md A"]);
  });

  it("waits for those who remember them, one event after the other, and outlives their errors", async () => {
    const told: string[] = [];
    const announcer = new Announcer(
      { notify: (name) => void told.push(`hook ${name}`) },
      silentLog,
    );
    const gate = deferred<void>();
    announcer.add(async (events) => {
      await gate.promise;
      told.push(`kept ${events.map(({ hook }) => hook).join(" ")}`);
    });
    announcer.add(() => {
      throw new Error("forgetful");
    });
    announcer.tell([]);
    announcer.tell([{ hook: "onPageDelete", data: { sourcePath: "a.md" } }]);
    assert.deepEqual(told, ["hook onPageDelete"]);
    const remembered = announcer.remembered().then(() => told.push("remembered"));
    gate.resolve();
    await remembered;
    assert.deepEqual(told.slice(1), ["kept onPageDelete", "remembered"]);
  });
});
