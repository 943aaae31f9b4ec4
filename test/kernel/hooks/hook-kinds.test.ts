import assert from "node:assert/strict";
import { defineHook, type FiredHooks } from "#kernel";
import { readDeclarations } from "../../../kernel/hooks/define-hook.js";
import { HookKinds } from "../../../kernel/hooks/hook-kinds.js";

function kindsOf(declared: readonly (readonly [owner: string, fires: FiredHooks])[]): HookKinds {
  const kinds = new HookKinds();
  for (const [owner, fires] of declared)
    for (const declaration of readDeclarations(owner, fires)) kinds.declare(declaration);
  return kinds;
}
const content = ["content", { onPageUpdate: "notify" }] as const;
const onOrderPaid = defineHook<{ order: string }>("onOrderPaid", "notify");
const p = { plugin: "p", kind: null };

describe("HookKinds", () => {
  it("accepts a repeated name and a definition that two plugins fire", () => {
    const kinds = kindsOf([content, content, ["shop", [onOrderPaid]], ["till", [onOrderPaid]]]);
    assert.deepEqual(
      [...kinds.all()],
      [
        ["onPageUpdate", "notify"],
        ["onOrderPaid", "notify"],
      ],
    );
  });

  it("rejects a hook with two kinds, naming both plugins", () => {
    const other = { onPageUpdate: "create" } as unknown as FiredHooks;
    assert.throws(() => kindsOf([content, ["shop", other]]), {
      code: "ERR_HOOK_KIND",
      message:
        'hook "onPageUpdate" is declared as notify by plugin "content" and as create by plugin "shop"',
      fix: "use one kind, or rename one of the hooks",
    });
  });

  it("rejects two definitions of one name, naming where they are", () => {
    const again = defineHook<{ order: number }>("onOrderPaid", "notify");
    const ofContent = defineHook<object>("onPageUpdate", "notify");
    const cases: [Parameters<typeof kindsOf>[0], RegExp][] = [
      [
        [
          ["shop", [onOrderPaid]],
          ["till", [again]],
        ],
        /"onOrderPaid" is declared by plugin "shop" and by plugin "till"/,
      ],
      [[["shop", [onOrderPaid, again]]], /"onOrderPaid" is declared twice by plugin "shop"/],
      [[content, ["shop", [ofContent]]], /by plugin "content" and by plugin "shop"/],
    ];
    for (const [declared, message] of cases)
      assert.throws(() => kindsOf(declared), {
        code: "ERR_HOOK_DUPLICATE",
        message,
        fix: /rename/,
      });
  });

  it("rejects an invalid name and an unknown kind", () => {
    assert.throws(() => kindsOf([["shop", [defineHook("order paid", "notify")]]]), {
      code: "ERR_HOOK_NAME",
      message: 'plugin "shop" declares a hook with the name "order paid"',
    });
    assert.throws(() => kindsOf([["shop", [defineHook("onOrderPaid", "nofity" as "notify")]]]), {
      code: "ERR_HOOK_KIND",
      message: 'plugin "shop" declares hook "onOrderPaid" with the kind "nofity"',
      fix: "use create, transform or notify",
    });
  });

  it("names the listeners of an undeclared hook, and the nearest name", () => {
    const kinds = kindsOf([content]);
    assert.throws(() => kinds.assertDeclared("onPageUpdated", [p, p]), {
      code: "ERR_HOOK_UNKNOWN",
      message: 'plugin "p" listens to unknown hook "onPageUpdated"',
      fix: 'did you mean "onPageUpdate"?',
    });
    assert.throws(() => kinds.assertDeclared("somethingElse", [p]), {
      fix: "select the plugin that fires it; the page /extend/hooks lists all hooks",
    });
  });

  it("rejects a handler whose definition has another kind than the declared hook", () => {
    const kinds = kindsOf([content]);
    kinds.assertDeclared("onPageUpdate", [p, { plugin: "q", kind: "notify" }]);
    assert.throws(() => kinds.assertDeclared("onPageUpdate", [{ plugin: "q", kind: "create" }]), {
      code: "ERR_HOOK_KIND",
      message: /"content" and as create by plugin "q"/,
    });
  });

  it("allows only the verb of the hook's kind", () => {
    const kinds = kindsOf([content]);
    kinds.assertKind("onPageUpdate", "notify");
    assert.throws(() => kinds.assertKind("onPageUpdate", "transform"), { code: "ERR_HOOK_KIND" });
    assert.throws(() => kinds.assertKind("onNothing", "notify"), { code: "ERR_HOOK_UNKNOWN" });
  });
});
