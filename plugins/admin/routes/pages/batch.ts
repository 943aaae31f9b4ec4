import type { Request } from "express";
import type { z } from "zod";
import { HttpError, isRecord, SiteError } from "#kernel";
import type { AdminIdentity } from "../../contract.js";
import { contentPath, allowedTransitions, readStatus } from "../../write/page-source.js";
import { note, notFound, writeOptions, type AdminContext } from "../admin-context.js";
import { fieldsChange, wholeTextNeeded, written } from "../../write/save-page.js";
import { applyMoves } from "./move-pages.js";
import { deletePage } from "./trash.js";
import { type operation, type operationResult, pagesApi } from "../../schemas/pages.js";
const BATCH_BYTES = 2 * 1_048_576;
type Operation = z.infer<typeof operation>;
type TermOperation = Extract<Operation, { op: "tag" | "untag" }>;
const TARGET = { publish: "published", unpublish: "draft", archive: "archived" } as const;

interface Call {
  context: AdminContext;
  req: Request;
  identity: AdminIdentity;
}

/** Many changes of pages in one request, each with a result of its own. */
export function batchRoutes(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "post",
    path: "/batch",
    permission: "pages.read",
    paths: "own",
    summary: "Publish, unpublish, archive, delete, move, tag or change many pages, each on its own",
    responses: pagesApi["POST /batch"].responses,
    body: { as: "json", limit: BATCH_BYTES, schema: pagesApi["POST /batch"].body },
    handler: async (req, res, { body, identity }) => {
      const results: z.infer<typeof operationResult>[] = [];
      // After a kill, the whole batch is undone: the client does not know where to go on.
      await site.use("content").asStep("batch", async () => {
        for (const one of body.operations)
          results.push(await applyOperation({ context, req, identity }, one));
      });
      const errors = results.filter(({ status }) => status === "error").length;
      const summary = { total: results.length, done: results.length - errors, errors };
      await site.http.json(req, res, { results, summary });
    },
  });
}

async function applyOperation(
  call: Call,
  one: Operation,
): Promise<z.infer<typeof operationResult>> {
  const about = { op: one.op, path: contentPath(one.path) };
  try {
    const named = one.op === "move" ? [one.path, one.to] : [one.path];
    await call.context.site.use("content").catchUp(named.map(contentPath));
    await perform(call, one);
    return { ...about, status: "done" };
  } catch (error) {
    if (!(error instanceof SiteError) || error.status === undefined) throw error;
    const { message, status, validationErrors } = error;
    const invalid = validationErrors && { validationErrors: [...validationErrors] };
    return { ...about, status: "error", error: message, code: status, ...invalid };
  }
}

async function perform(call: Call, one: Operation): Promise<void> {
  const { context, req, identity } = call;
  switch (one.op) {
    case "delete":
      await deletePage(context, call, { path: one.path, hasFolder: one.folder });
      return;
    case "move": {
      const [from, to] = [contentPath(one.path), contentPath(one.to)];
      if (context.site.use("content").brokenPage(from) === null) findEntry(call, from);
      await applyMoves(
        context,
        { req, identity },
        {
          moves: [{ path: from, to }],
          redirect: one.redirect,
        },
      );
      return;
    }
    case "tag":
    case "untag":
      return patch(call, one.path, termPatch(call, one));
    case "set":
      return patch(call, one.path, one.frontmatter);
    default:
      return transition(call, one.path, TARGET[one.op]);
  }
}

/** @throws HttpError 404; 400 for a page that cannot be read. */
function findEntry({ context }: Pick<Call, "context">, sourcePath: string) {
  const content = context.site.use("content");
  const broken = content.brokenPage(sourcePath);
  if (broken !== null) throw wholeTextNeeded(sourcePath, broken.problem);
  const entry = content.generation().bySource.get(sourcePath);
  if (entry === undefined) throw notFound();
  return entry;
}

/** Nothing to do for a page that has the status already. */
function transition(
  call: Call,
  path: string,
  to: (typeof TARGET)[keyof typeof TARGET],
): Promise<void> | void {
  const entry = findEntry(call, contentPath(path));
  const from = readStatus(entry);
  if (from === to) return;
  if (!allowedTransitions(from).includes(to)) {
    throw new HttpError(400, `a page cannot change from ${from} to ${to}`);
  }
  return write(
    call,
    entry.sourcePath,
    call.context.site.use("content").releasePatch(entry.frontmatter, to),
  );
}

async function patch(
  call: Call,
  path: string,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const entry = findEntry(call, contentPath(path));
  if (Object.keys(change).length > 0) await write(call, entry.sourcePath, change);
}

async function write(
  { context, req, identity }: Call,
  sourcePath: string,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { site } = context;
  const ifHash = findEntry({ context }, sourcePath).hash;
  const edit = fieldsChange(sourcePath, change, ifHash);
  for (const one of await site.use("content").apply([edit], writeOptions(identity))) written(one);
  const target = { type: "page", id: sourcePath };
  const detail = { batch: true, keys: Object.keys(change) };
  note(context, req, { event: "page.update", actor: identity, target, detail });
}

/** The taxonomy of the front matter with or without a term. @throws HttpError 400. */
function termPatch(
  call: Call,
  { op, path: given, value, taxonomy: name }: TermOperation,
): Readonly<Record<string, unknown>> {
  const { taxonomies } = call.context.site.settings.site;
  if (!taxonomies.includes(name)) {
    const names = taxonomies.join(", ");
    throw new HttpError(400, `taxonomy ${JSON.stringify(name)} is unknown; use one of ${names}`);
  }
  const { taxonomy, frontmatter } = findEntry(call, contentPath(given));
  const terms = new Map(Object.entries(taxonomy)).get(name) ?? [];
  if (terms.includes(value) === (op === "tag")) return {};
  const next = op === "tag" ? [...terms, value] : terms.filter((one) => one !== value);
  const values = new Map(
    isRecord(frontmatter["taxonomy"]) ? Object.entries(frontmatter["taxonomy"]) : [],
  );
  if (next.length > 0) values.set(name, next);
  else values.delete(name);
  return { taxonomy: values.size === 0 ? null : Object.fromEntries(values) };
}
