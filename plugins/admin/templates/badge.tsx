import type { VNode } from "preact";

/** A coloured status label. */
export function Badge({ text, kind = text }: { text: string; kind?: string }): VNode {
  return (
    <span class={`badge ${kind.replaceAll(/[^a-z]/g, "-")}`}>{text.replaceAll("_", " ")}</span>
  );
}
