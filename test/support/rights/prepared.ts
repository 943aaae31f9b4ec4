// What requests by id are about: working copies, deleted pages, conflicts, links, writes of agents.
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Identity, RightsSite } from "./rights-site.js";
import type { Subject } from "./route-requests.js";
import { CONFLICTS, content, GONE, type Target } from "./targets.js";

const ids = z.object({ items: z.array(z.object({ id: z.string(), path: z.string() })) });
const drafts = z.object({ items: z.array(z.object({ sourcePath: z.string() })) });
const redirects = z.object({ items: z.array(z.object({ from: z.string() })) });
const shown = z.object({
  result: z.object({ structuredContent: z.object({ confirm: z.string() }) }),
});
const MOVED = "02.blog/05.moved/default.md";
const CODE_NOW = `${MOVED}x`;

/** Prepares what requests are about, and again where a request has used it up. */
export class Prepared {
  readonly #site: RightsSite;
  /** A text that runs as MDX. */
  readonly #canary: string;
  readonly #hasGit: boolean;
  #collisions = 0;

  constructor(site: RightsSite, { canary, hasGit }: { canary: string; hasGit: boolean }) {
    this.#site = site;
    this.#canary = canary;
    this.#hasGit = hasGit;
  }

  /** A page with versions, deleted pages, links and conflicts, before any request. */
  async start(): Promise<void> {
    if (this.#hasGit) await this.#site.site.use("gitSync").sync();
    else await this.#moveWithVersions();
    await this.refresh();
  }

  /** True for a route about something that has an id, or about a working copy. */
  needs(route: string): boolean {
    return /\/(?:trash|conflicts|preview-links|drafts|agent-writes)(?:\/|$)/.test(route);
  }

  /** True for a route that may use up what has an id. */
  isUsedUp(route: string): boolean {
    return /\/(?:trash|conflicts|preview-links\/:id)(?:\/|$)/.test(route);
  }

  /** Prepares again what requests have used up. */
  async refresh(): Promise<void> {
    if (this.#hasGit) {
      const waiting = new Set((await this.#items("/conflicts")).map(({ path }) => path));
      if (Object.values(CONFLICTS).some((path) => !waiting.has(path))) await this.#collide();
      return;
    }
    const trashed = new Set((await this.#items("/trash")).map(({ path }) => path));
    for (const path of Object.values(GONE)) if (!trashed.has(path)) await this.#delete(path);
    const linked = new Set((await this.#items("/preview-links")).map(({ path }) => path));
    for (const path of [CODE_NOW, "03.shop/01.plans/default.md"]) {
      if (!linked.has(path)) await this.call("POST", "/preview-links", { path });
    }
  }

  /** The subject with the ids of its target, and with a working copy of its page. */
  async complete({ name, subject }: Target, route: string): Promise<Subject> {
    if (/\/(?:drafts|preview-links)(?:\/|$)/.test(route)) await this.#draft(subject);
    const idOf = async (part: string, path: string): Promise<string> =>
      route.includes(part) ? this.#idOf(part, path) : "none";
    const isAgents = route.includes("/agent-writes");
    return {
      ...subject,
      ids: {
        ...subject.ids,
        "/admin/api/trash": await idOf("/trash", GONE[name]),
        "/admin/api/conflicts": await idOf("/conflicts", CONFLICTS[name]),
        "/admin/api/preview-links": await idOf("/preview-links", subject.path),
        "/admin/api/agent-writes": isAgents ? await this.#agentWrite(subject) : "none",
      },
    };
  }

  /** Working copies, deleted pages and links of the pages that are foreign to an identity. */
  async foreignRecords({ ownsPages }: Pick<Identity, "ownsPages">): Promise<string> {
    const lists = ["/trash", "/preview-links", ...(this.#hasGit ? ["/conflicts"] : [])];
    const items = (await Promise.all(lists.map((path) => this.#items(path)))).flat();
    const copies = drafts.parse(await this.call("GET", "/drafts")).items;
    const paths = [...items.map(({ path }) => path), ...copies.map((one) => one.sourcePath)];
    return paths
      .filter((path) => ownsPages || !path.startsWith("02.blog"))
      .toSorted()
      .join("\n");
  }

  /** The redirects that moves have added. */
  async removeRedirects(): Promise<void> {
    const { items } = redirects.parse(await this.call("GET", "/redirects"));
    for (const { from } of items) {
      await this.call("DELETE", `/redirects?from=${encodeURIComponent(from)}`);
    }
  }

  /** A request of the admin. @throws Error unless it succeeds. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const admin = this.#site.identities.get("admin");
    const answer = await fetch(`${this.#site.url}/admin/api${path}`, {
      method,
      headers: { ...admin?.headers(), "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  async #items(path: string): Promise<{ id: string; path: string }[]> {
    return ids.parse(await this.call("GET", path)).items;
  }

  async #idOf(list: string, path: string): Promise<string> {
    return (await this.#items(list)).find((one) => one.path === path)?.id ?? "none";
  }

  /**
   * A page whose first version is MDX text in a `.md` file, and which became `.mdx`: by a move of an
   * admin where that is possible, else on the disk.
   */
  async #moveWithVersions(): Promise<void> {
    await this.call("PUT", `/pages/${MOVED}`, { content: this.#canary });
    await this.call("PUT", `/pages/${MOVED}`, { content: content[MOVED] });
    await this.#site.site.use("history").settled();
    const move = { op: "move", path: MOVED, to: CODE_NOW, redirect: false };
    await this.call("POST", "/batch", { operations: [move] });
    await this.#site.site.use("history").settled();
    if (this.#site.site.use("content").generation().bySource.has(CODE_NOW)) return;
    const folder = join(this.#site.root, "content");
    await this.#site.site.use("content").update(async () => {
      await rename(join(folder, MOVED), join(folder, CODE_NOW));
      return [MOVED, CODE_NOW];
    });
    await this.#site.site.use("history").settled();
  }

  async #delete(path: string): Promise<void> {
    const file = join(this.#site.root, "content", path);
    await this.#site.site.use("content").update(async () => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content[path] ?? "");
      return [path];
    });
    await this.call("DELETE", `/pages/${path}`);
  }

  /** Changes all pages of conflicts here and in the remote. */
  async #collide(): Promise<void> {
    const { remote, site } = this.#site;
    this.#collisions += 1;
    const textOf = (path: string, side: string): string =>
      (content[path] ?? "").replace("Text.", `Text of ${side} ${this.#collisions}.`);
    for (const { id } of await this.#items("/conflicts")) {
      await this.call("POST", `/conflicts/${id}`, { take: "theirs" });
    }
    await site.use("gitSync").sync();
    remote.git("pull", "-q", "origin", "main");
    const paths: readonly string[] = Object.values(CONFLICTS);
    for (const path of paths) {
      await this.call("PUT", `/pages/${path}`, { content: textOf(path, "ours") });
    }
    await remote.push(Object.fromEntries(paths.map((path) => [path, textOf(path, "theirs")])));
    await site.use("gitSync").sync();
  }

  async #draft({ path, content: text }: Subject): Promise<void> {
    if (!/\.\w+$/.test(path)) return;
    await this.call("PUT", `/drafts/${path}`, { content: text }).catch(() => undefined);
  }

  /** A write of an agent with every right, which waits for a person. */
  async #agentWrite({ path, content: text }: Subject): Promise<string> {
    const token = this.#site.identities.get("token");
    const isThere = this.#site.site.use("content").generation().bySource.has(path);
    const name = isThere ? "write_page" : "create_page";
    const answer = await callTool(this.#site.url, token?.headers() ?? {}, {
      name,
      arguments: { path, content: text },
    });
    const read = shown.safeParse(answer);
    return read.success ? read.data.result.structuredContent.confirm : "none";
  }
}

/** Calls a tool of the MCP server; resolves with the message that answers. */
export async function callTool(
  url: string,
  headers: Readonly<Record<string, string>>,
  params: { name: string; arguments: Readonly<Record<string, unknown>> },
): Promise<unknown> {
  const answer = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      ...headers,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const text = await answer.text();
  return text.startsWith("{") ? JSON.parse(text) : null;
}

/** The confirmation that a first call of a tool that writes returns; null when it was refused. */
export function confirmationOf(answer: unknown): string | null {
  const read = shown.safeParse(answer);
  return read.success ? read.data.result.structuredContent.confirm : null;
}
