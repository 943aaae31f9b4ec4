// Nodes of one cluster in this process, on one content folder or on folders of their own.
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atomicWrite, definePlugin, type ChangeBatch } from "#kernel";
import { RecordedLog } from "#testing";
import { bootSite, type BootOptions, type TestSite } from "../sites/boot-site.js";

/** A node, with what it announced. */
export interface TestNode extends TestSite {
  /** Hooks and listeners of this node: `hook a.md`, `feed update a.md`. */
  told: string[];
  log: RecordedLog;
}
/** Folders of one cluster. */
export interface Nodes {
  base: string;
  /** Boots a node; shared folders are links to `base`. */
  boot(name: string, options?: BootOptions & { own?: boolean }): Promise<TestNode>;
  /** Writes below the shared folders. */
  write(file: string, text: string): Promise<void>;
  close(): Promise<void>;
}

const SHARED = ["content", "flex-objects"];
const PLUGINS = ["cluster", "content", "flex", "health", "markdown", "pages", "search", "cache"];

/** Nodes that reach each other at `url`. */
export async function clusterNodes(url: string): Promise<Nodes> {
  const base = await mkdtemp(join(tmpdir(), "site-cluster-"));
  const running: TestNode[] = [];
  for (const folder of SHARED) await mkdir(join(base, folder));
  return {
    base,
    write: (file, text) => atomicWrite(join(base, file), text),
    boot: async (name, { own = false, ...options } = {}) => {
      const root = join(base, `node-${name}`);
      await mkdir(root, { recursive: true });
      for (const folder of own ? [] : SHARED) {
        await symlink(join(base, folder), join(root, folder)).catch(() => undefined);
      }
      const node = await bootNode(root, { url, name, ...options });
      running.push(node);
      return node;
    },
    close: async () => {
      for (const node of running.splice(0)) await node.close();
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function bootNode(
  root: string,
  { url, name, ...options }: BootOptions & { url: string; name: string },
): Promise<TestNode> {
  const told: string[] = [];
  const log = new RecordedLog();
  const cluster = { enabled: true, node: name };
  await atomicWrite(join(root, "site.yaml"), "title: Test\n");
  const site = await bootSite({
    plugins: PLUGINS,
    log: log.logger,
    ...options,
    root,
    env: { SITE_DB_URL: url, ...options.env },
    settings: {
      ...options.settings,
      system: { cluster, search: { include_flex: ["boat"] }, ...options.settings?.system },
    },
    extraPlugins: [recorder(told), ...(options.extraPlugins ?? [])],
  });
  return { ...site, told, log };
}

/** Records what happens once in a cluster. */
function recorder(told: string[]) {
  const feed = ({ changes }: ChangeBatch): void => {
    for (const { kind, op, key } of changes) told.push(`feed ${kind} ${op} ${key}`);
  };
  return definePlugin({
    name: "recorder",
    version: "1.0.0",
    requires: ["content", "flex"],
    setup({ hooks, changes }) {
      changes.onAnnounce("recorder", feed);
      hooks.on("onPageCreate", ({ data }) => void told.push(`created ${data.sourcePath}`));
      hooks.on("onPageUpdate", ({ data }) => void told.push(`updated ${data.sourcePath}`));
      hooks.on("onPageDelete", ({ data }) => void told.push(`deleted ${data.sourcePath}`));
      hooks.on("onFlexChange", ({ data }) => {
        if (data.id !== "") told.push(`record ${data.op} ${data.type}/${data.id}`);
      });
    },
  });
}
