import type { Request } from "express";
import type { z } from "zod";
import { HttpError, isRecord, SiteError } from "#kernel";
import type { AdminIdentity } from "../../contract.js";
import { contentPath, allowedTransitions, readStatus } from "../../write/page-source.js";
import { pathAfter } from "../../write/reorder.js";
import { note, notFound, writeOptions, type AdminContext } from "../admin-context.js";
import { typeChange } from "../../write/change-type.js";
import { fieldsChange, wholeTextNeeded, written } from "../../write/save-page.js";
import { assertAt } from "../../accounts/rights.js";
import { applyMoves, movesOf } from "./move-pages.js";
import { deletePage } from "./trash.js";
import { schedulePage } from "./workflow.js";
import { arrangingApi, type operation, type operationResult } from "../../schemas/arranging.js";
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
    summary: "Publish, schedule, delete, move, tag or change many pages, each on its own",
    responses: arrangingApi["POST /batch"].responses,
    body: { as: "json", limit: BATCH_BYTES, schema: arrangingApi["POST /batch"].body },
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
    const named = [one.path, ...(one.op === "move" && one.to !== undefined ? [one.to] : [])];
    await call.context.site.use("content").catchUp(named.map(contentPath));
    return { ...about, status: "done", ...(await perform(call, one)) };
  } catch (error) {
    if (!(error instanceof SiteError) || error.status === undefined) throw error;
    const { message, status, validationErrors } = error;
    const invalid = validationErrors && { validationErrors: [...validationErrors] };
    return { ...about, status: "error", error: message, code: status, ...invalid };
  }
}

/** What the result of a change has besides its status. */
type Done = Pick<z.infer<typeof operationResult>, "movedTo" | "trashId">;

async function perform(call: Call, one: Operation): Promise<Done> {
  const { context, req, identity } = call;
  switch (one.op) {
    case "delete": {
      const page = { path: one.path, hasFolder: one.folder };
      const { trashId } = await deletePage(context, call, page);
      return { trashId };
    }
    case "move":
      return movePage(call, one);
    case "type":
      return changeType(call, one.path, one.template);
    case "schedule": {
      const { sourcePath } = findEntry(call, contentPath(one.path));
      assertAt(identity, "pages.publish", [sourcePath]);
      await schedulePage(context, { req, identity }, one);
      return {};
    }
    case "tag":
    case "untag":
      await patch(call, one.path, termPatch(call, one));
      return {};
    case "set":
      await patch(call, one.path, one.frontmatter);
      return {};
    default:
      await transition(call, one.path, TARGET[one.op]);
      return {};
  }
}

async function movePage(call: Call, one: Extract<Operation, { op: "move" }>): Promise<Done> {
  const { context, req, identity } = call;
  const path = contentPath(one.path);
  const isBroken = context.site.use("content").brokenPage(path) !== null;
  if (!isBroken || one.to === undefined) findEntry(call, path);
  const moves = movesOf(context, { ...one, path });
  if (moves.length === 0) return {};
  await applyMoves(context, { req, identity }, { moves, redirect: one.redirect });
  return { movedTo: pathAfter(path, moves) };
}

/**
 * Gives a page another type, in every language.
 * @throws HttpError 400 for an unknown type, 422 for fields that do not fit it or a parent that does not allow it.
 */
async function changeType(call: Call, path: string, template: string): Promise<Done> {
  const { context, req, identity } = call;
  const { site } = context;
  const content = site.use("content");
  const entry = findEntry(call, contentPath(path));
  const templates = [
    ...content.blueprints.list().map(({ name }) => name),
    ...(site.use("render", { optional: true })?.templates() ?? []),
    "default",
  ];
  if (!templates.includes(template)) {
    const known = [...new Set(templates)].join(", ");
    throw new HttpError(
      400,
      `page type ${JSON.stringify(template)} is unknown; use one of ${known}`,
    );
  }
  const change = typeChange(content.generation().entries, entry, template);
  // The file does not have its new name yet: the key gives the page the type that it is checked against.
  const tries = change.files.map((file) => fieldsChange(file.sourcePath, { template }, file.hash));
  const options = writeOptions(identity);
  for (const one of await content.apply(tries, { ...options, dryRun: true })) written(one);
  if (change.moves.length > 0)
    await applyMoves(context, { req, identity }, { moves: change.moves, redirect: false });
  for (const [file, fields] of change.patches) await write(call, file, fields);
  return change.moves.length === 0 ? {} : { movedTo: pathAfter(entry.sourcePath, change.moves) };
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
async function transition(
  call: Call,
  path: string,
  to: (typeof TARGET)[keyof typeof TARGET],
): Promise<void> {
  const entry = findEntry(call, contentPath(path));
  const from = readStatus(entry);
  if (from === to) return;
  if (!allowedTransitions(from).includes(to)) {
    throw new HttpError(400, `a page cannot change from ${from} to ${to}`);
  }
  const change = call.context.site.use("content").releasePatch(entry.frontmatter, to);
  await write(call, entry.sourcePath, change);
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
  const results = await site.use("content").apply([edit], writeOptions(identity));
  if (results.every((one) => written(one).status === "skipped")) return;
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
