import assert from "node:assert/strict";
import { HookKinds } from "../../kernel/hook-kinds.js";

describe("HookKinds", () => {
  const kinds = new HookKinds();
  kinds.declare("onPageUpdate", "notify");

  it("may hear a declaration twice, but not with two kinds", () => {
    kinds.declare("onPageUpdate", "notify");
    assert.throws(() => kinds.declare("onPageUpdate", "create"), { code: "ERR_HOOK_KIND" });
    assert.deepEqual([...kinds.all()], [["onPageUpdate", "notify"]]);
  });

  it("names who listens to a hook that nobody declares, and the nearest name", () => {
    assert.throws(() => kinds.assertDeclared("onPageUpdated", [{ plugin: "p" }, { plugin: "p" }]), {
      code: "ERR_HOOK_UNKNOWN",
      message: 'plugin "p" listens to unknown hook "onPageUpdated"',
      fix: 'did you mean "onPageUpdate"?',
    });
    assert.throws(() => kinds.assertDeclared("somethingElse", [{ plugin: "p" }]), {
      fix: "select the plugin that fires it",
    });
  });

  it("lets a hook be fired with the verb of its kind alone", () => {
    kinds.assertKind("onPageUpdate", "notify");
    assert.throws(() => kinds.assertKind("onPageUpdate", "transform"), { code: "ERR_HOOK_KIND" });
    assert.throws(() => kinds.assertKind("onNothing", "notify"), { code: "ERR_HOOK_UNKNOWN" });
  });
});
