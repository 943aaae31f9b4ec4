import ts from "typescript";
import { textOf, type ContractMember, type Contracts } from "./contracts.js";
import { grouped } from "./grouped.js";
import { exampleBlock, joined } from "./reference-parts.js";
import { code } from "./table.js";
import { typesLine } from "./type-pages.js";

/** Every hook that a contract declares: its kind, when it fires, its payload, and an example. */
export function hookEntries(contracts: Contracts): string {
  return [...grouped(contracts.members("HookMap"), ({ owner }) => owner)]
    .map(([owner, hooks]) => {
      const title = owner === "kernel" ? "Hooks of the kernel" : `Hooks of plugin ${owner}`;
      return `## ${title}\n\n${hooks.map(hookEntry).join("\n\n")}`;
    })
    .join("\n\n");
}

/** The kind of a hook, and the type of its payload; empty without one. */
export function hookType({ name, type }: ContractMember): { kind: string; payload: string } {
  if (type === undefined || !ts.isTypeReferenceNode(type)) throw new Error(`${name} has no kind`);
  const kind = type.typeName.getText().replace("Hook", "").toLowerCase();
  const [payload] = type.typeArguments ?? [];
  return { kind, payload: payload === undefined ? "" : textOf(payload) };
}

function hookEntry(member: ContractMember): string {
  const { name, comment, names } = member;
  const { kind, payload } = hookType(member);
  const data = payload === "" ? "none" : fields(payload);
  const parts = [
    `### ${name}`,
    comment.text,
    `Kind: ${kind}. Payload: ${data}.`,
    // The kind of a hook is a type of the kernel, which the sentence has named.
    typesLine(names.filter((type) => !/^(?:Create|Transform|Notify)Hook$/.test(type.name))),
    exampleBlock(name, comment),
  ];
  return joined(parts);
}

/** The fields of a payload, or its type. */
function fields(payload: string): string {
  const inner = /^\{ (.*) \}$/.exec(payload)?.[1] ?? payload;
  return inner.split("; ").map(code).join(", ");
}
