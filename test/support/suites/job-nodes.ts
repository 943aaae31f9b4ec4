// Nodes with roots of their own that share their jobs in one PostgreSQL.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { adminPlugins } from "../sites/admin-site.js";
import { bootSite, type BootOptions, type TestSite } from "../sites/boot-site.js";

const PLUGINS = [...adminPlugins, "health", "postgres", "outbound"];

/** How a node differs from the other one. */
export interface NodeOptions extends BootOptions {
  /** Where its page updates are sent. */
  hook?: string;
}

/** The folders of a test, and the nodes that run on them. */
export class JobNodes {
  readonly #running: TestSite[] = [];
  #base = "";

  async open(): Promise<void> {
    this.#base = await mkdtemp(join(tmpdir(), "site-job-nodes-"));
  }

  /** Writes the root of a node, for a process of its own; resolves with the folder. */
  async prepare(name: string, url: string, { hook, settings }: NodeOptions = {}): Promise<string> {
    const root = join(this.#base, name);
    const page = "---\ntitle: Home\n---\nHello.\n";
    const system = { jobs: { engine: "postgres" }, ...settings?.system };
    const webhooks = hook === undefined ? [] : [webhookTo(hook)];
    const files = {
      "site.yaml": { title: "Test", ...settings?.site },
      "system.yaml": system,
      "admin.yaml": { webhooks },
    };
    await atomicWrite(join(root, "content/01.home/default.md"), page);
    await atomicWrite(join(root, ".env"), `SITE_DB_URL=${url}\n`);
    for (const [file, value] of Object.entries(files)) {
      await atomicWrite(join(root, file), `${JSON.stringify(value)}\n`);
    }
    return root;
  }

  /** Boots a node in this process. */
  async boot(name: string, url: string, options: NodeOptions = {}): Promise<TestSite> {
    const root = await this.prepare(name, url, options);
    const env = { SITE_DB_URL: url, ...options.env };
    const { hook: _, settings: _settings, ...others } = options;
    const node = await bootSite({ plugins: PLUGINS, ...others, env, root });
    this.#running.push(node);
    return node;
  }

  async close(): Promise<void> {
    for (const node of this.#running.splice(0)) await node.close();
    await rm(this.#base, { recursive: true, force: true, maxRetries: 5 });
  }
}

function webhookTo(url: string): Record<string, unknown> {
  return { url, events: ["onPageCreate", "onPageUpdate"], enabled: true, secret: "a secret" };
}
