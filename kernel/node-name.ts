import { hostname } from "node:os";
import { sha256 } from "#lib/secrets";

/** Name of a node that has none: the host name, and a digest because one machine may run several. */
export function defaultNodeName(root: string): string {
  const host = hostname().replaceAll(/[^A-Za-z0-9._-]/g, "-");
  const digest = sha256(root).slice(0, 12);
  return `${host.slice(0, 50)}-${digest}`;
}
