import assert from "node:assert/strict";
import { HookKinds } from "../../../kernel/hooks/hook-kinds.js";

describe("HookKinds", () => {
  const kinds = new HookKinds();
  kinds.declare("onPageUpdate", "notify");

  it("accepts a repeated declaration, but not with two kinds", () => {
    kinds.declare("onPageUpdate", "notify");
    assert.throws(() => kinds.declare("onPageUpdate", "create"), { code: "ERR_HOOK_KIND" });
    assert.deepEqual([...kinds.all()], [["onPageUpdate", "notify"]]);
  });

  it("names the listeners of an undeclared hook, and the nearest name", () => {
    assert.throws(() => kinds.assertDeclared("onPageUpdated", [{ plugin: "p" }, { plugin: "p" }]), {
      code: "ERR_HOOK_UNKNOWN",
      message: 'plugin "p" listens to unknown hook "onPageUpdated"',
      fix: 'did you mean "onPageUpdate"?',
    });
    assert.throws(() => kinds.assertDeclared("somethingElse", [{ plugin: "p" }]), {
      fix: "select the plugin that fires it",
    });
  });

  it("allows only the verb of the hook's kind", () => {
    kinds.assertKind("onPageUpdate", "notify");
    assert.throws(() => kinds.assertKind("onPageUpdate", "transform"), { code: "ERR_HOOK_KIND" });
    assert.throws(() => kinds.assertKind("onNothing", "notify"), { code: "ERR_HOOK_UNKNOWN" });
  });
});
