import { Html } from "../../theme-api/html.js";

/** A module or block in a theme without components for them: its text. */
export function BareModule({ module }: Record<string, unknown>) {
  const html = typeof module === "object" && module !== null && "html" in module ? module.html : "";
  return <Html as="section" html={typeof html === "string" ? html : ""} />;
}
