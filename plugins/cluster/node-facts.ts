/** What a node tells the others about itself. */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { SiteContext } from "#kernel";
import { readPackage } from "#lib/packages";
import { sha256 } from "#lib/secrets";
import { defaultNodeName } from "#kernel/internal";
import type { NodeRecord } from "./transport.js";

/** This node at its start. */
export function nodeFacts(site: SiteContext): NodeRecord {
  const server = site.settings.system.cluster.node ?? defaultNodeName(site.paths.root);
  const { id } = site.runtime.workers;
  const name = id === 0 ? server : `${server}:${id}`;
  return {
    name,
    id: `${name}#${randomBytes(6).toString("hex")}`,
    host: hostname(),
    pid: process.pid,
    since: new Date(site.runtime.clock.now()).toISOString(),
    version: readPackage().version,
    digest: digestOf(site),
    content: "",
    beats: 0,
    cursor: "",
  };
}

/** Nodes with the same plugins and configuration have the same digest. */
function digestOf({ settings, runtime }: SiteContext): string {
  const { site, admin } = settings;
  const system = { ...settings.system, cluster: { ...settings.system.cluster, node: null } };
  const plugins = runtime.plugins().map(({ name, version }) => [name, version]);
  return digest(JSON.stringify({ site, system, admin, plugins }));
}

function digest(text: string): string {
  return sha256(text).slice(0, 12);
}
