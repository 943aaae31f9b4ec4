import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { WorkerClient, WorkerResponse } from "../processes/site-workers.js";
import { pageText, WORDS } from "./page-texts.js";
import type { ChurnedRoot } from "./root-operations.js";

/** A server under churn, with a connection to each worker. */
export interface ChurnedServer extends ChurnedRoot {
  readonly clients: readonly WorkerClient[];
  readonly auth: Record<string, string>;
}
type ServerOperation = (churned: ChurnedServer) => Promise<unknown>;

/** No request may fail, whatever state the files are in. */
async function send(
  { random, clients, auth }: ChurnedServer,
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
): Promise<WorkerResponse> {
  const response = await random.pick(clients).send(method, path, { headers: auth, body });
  assert.ok(response.status < 500, `${method} ${path}: ${response.status} ${response.text}`);
  return response;
}

const save: ServerOperation = async (churned) => {
  const { random, content } = churned;
  const found = readdirSync(content, { recursive: true, withFileTypes: true });
  const pages = found
    .map((item) => relative(content, join(item.parentPath, item.name)))
    .filter((path) => path.endsWith(".md"))
    .sort();
  const path = random.chance(0.3) ? "02.blog/new/default.md" : random.pick(pages);
  const page = `/admin/api/pages/${path.split("/").map(encodeURIComponent).join("/")}`;
  const to = `03.docs/moved-${random.below(5)}.md`;
  const request = random.pick([
    ["PUT", page, { content: pageText(random) }],
    ["PUT", page, { frontmatter: { title: `${random.pick(WORDS)} saved` } }],
    ["DELETE", page],
    // A redirect is configuration, which a server reads when it starts.
    ["POST", "/admin/api/pages/move", { path, to, redirect: false }],
  ] as const);
  await send(churned, request);
};

const visit: ServerOperation = async (churned) => {
  const { random } = churned;
  const addresses = ["/", "/blog", "/blog/a", "/docs/x", "/sitemap.xml", "/nowhere", "/api/pages"];
  await send(churned, ["GET", random.pick(addresses)]);
  await send(churned, ["GET", `/api/search?q=${random.pick(WORDS)}&limit=50`]);
};

/** The requests to a server, and their frequency. */
export const HTTP_OPERATIONS: readonly (readonly [weight: number, operation: ServerOperation])[] = [
  [8, save],
  [12, visit],
];
