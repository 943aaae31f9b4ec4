// Requests to every declared route, with paths, bodies and queries that its schemas accept.
import type { Site } from "#kernel";
import { validValues, type SubjectValues } from "./schema-values.js";

/** A declared route with its plugin. */
export type DeclaredRoute = ReturnType<Site["context"]>["http"]["routes"][number];

/** What requests are about. */
export interface Subject {
  /** Path of a page or folder below the content folder. */
  readonly path: string;
  /** Where it moves to. */
  readonly to: string;
  /** Path of an ordered page in the same folder. */
  readonly sibling: string;
  /** Path of a media file below the content folder. */
  readonly media: string;
  /** Name of a media file that is uploaded. */
  readonly fileName: string;
  /** Address of a page. */
  readonly route: string;
  /** Source of a page. */
  readonly content: string;
  /** Bodies of changes to front matter. */
  readonly frontmatter: readonly Readonly<Record<string, unknown>>[];
  /** Id of something that exists, by a prefix of its route; `none` where it has no entry. */
  readonly ids: Readonly<Record<string, string>>;
}

/** A request that a route accepts. */
export interface RouteRequest {
  readonly route: DeclaredRoute;
  readonly method: string;
  /** With query. */
  readonly address: string;
  /** Value of the JSON or form body; null without one. */
  readonly body: unknown;
  readonly contentType: "json" | "form" | "multipart" | null;
  /** Path parameters, query and body together: the arguments of a tool. */
  readonly values: Readonly<Record<string, unknown>>;
  /** True when the request names a path or an id of the subject. */
  readonly isAboutSubject: boolean;
}

const FILE = Buffer.from("%PDF-1.4\nreplaced\n").toString("base64");
const ALWAYS = new Set(["path", "to", "target", "pagePath", "folder", "expires"]);

/** Bodies that no schema describes: each entry of a batch is parsed on its own, and raw bodies. */
const UNDESCRIBED: Readonly<Record<string, (subject: Subject) => readonly unknown[]>> = {
  "post /admin/api/dev/apply": (subject) =>
    devChanges(subject).map((change) => ({ changes: [change] })),
  "post /admin/api/media/upload": ({ path, fileName }) => [
    { pagePath: path, file: fileName, overwrite: "true" },
  ],
  "post /api/upload": () => [{ file: "value.pdf" }],
  "post /api/comments": ({ route }) => [{ route, name: "Ada", text: "Hello" }],
  "post /forms/:name": () => [{ name: "Ada" }],
  "post /mcp": () => [{ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }],
};
/** Path parameters with more than a path in them. */
const FORMS: Readonly<Record<string, (path: string) => string>> = {
  "post /admin/api/history/*path": (path) => `${path}/1/restore`,
};
const MULTIPART = new Set(["post /admin/api/media/upload", "post /api/upload"]);
const PARAMETERS: Readonly<Record<string, string>> = {
  type: "boat",
  file: "site",
  theme: "default",
  product: "value",
};

/** Routes whose ids belong to an account, not to a page. */
const PERSONAL = /^\/admin\/api\/views\//;

/** The name of a route, as tests print it. */
export function routeName({ method, path }: Pick<DeclaredRoute, "method" | "path">): string {
  return `${method} ${path}`;
}

/**
 * Requests about a subject, one for each branch of the route's schemas.
 * @throws Error when no valid body could be generated: then this file must learn about the route.
 */
export function requestsFor(route: DeclaredRoute, subject: Subject): RouteRequest[] {
  const name = routeName(route);
  const watched = watch(knownValues(route, subject));
  const params = parametersOf(route, subject, watched.known);
  const queries = route.query === undefined ? [{}] : validValues(route.query, watched.known);
  const bodies = bodiesOf(route, subject, watched.known);
  if (bodies.length === 0) throw new Error(`no valid body of ${name} could be generated`);
  if (queries.length === 0) throw new Error(`no valid query of ${name} could be generated`);
  const contentType = contentTypeOf(route, bodies[0]);
  return queries.flatMap((query) =>
    bodies.map((body) => {
      const values = { ...params.values, ...recordOf(query), ...recordOf(body) };
      return {
        route,
        method: route.method.toUpperCase(),
        address: params.address + searchOf(query),
        body,
        contentType,
        values,
        isAboutSubject: watched.isUsed() || "changes" in values || "pagePath" in values,
      };
    }),
  );
}

/** What `fetch` needs to send a request. */
export function initOf(
  { method, body, contentType }: RouteRequest,
  headers: Readonly<Record<string, string>>,
): RequestInit {
  if (contentType === null) return { method, headers };
  if (contentType === "multipart") return { method, headers, body: multipart(recordOf(body)) };
  const isForm = contentType === "form";
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  const text = isForm ? new URLSearchParams(textsOf(body)).toString() : JSON.stringify(body);
  const accept = "application/json, text/html, text/event-stream";
  return { method, headers: { accept, ...headers, "content-type": type }, body: text };
}

function knownValues(declared: DeclaredRoute, subject: Subject): SubjectValues {
  const { path: route } = declared;
  const { path, to, media, content, frontmatter, fileName } = subject;
  const isMove = route.endsWith("/media/move");
  const isMedia =
    isMove || route.endsWith("/media/meta") || routeName(declared) === "delete /admin/api/media";
  const values: Readonly<Record<string, readonly unknown[]>> = {
    path: [isMedia ? media : path],
    sourcePath: [path],
    pagePath: [path],
    to: [to],
    target: [subject.sibling],
    route: [subject.route],
    page: [subject.route],
    q: ["value"],
    content: [content],
    body: ["Changed.\n"],
    markdown: ["Text."],
    frontmatter,
    patch: frontmatter,
    meta: [{ alt: "Changed" }, { roles: null }],
    name: route.endsWith("/media/file") ? [fileName] : ["value"],
    data: route.endsWith("/media/file") ? [FILE] : [{ name: "Changed" }],
    overwrite: [true],
    folder: isMove
      ? [subject.sibling, "03.shop/01.plans/default.md"]
      : route.endsWith("/batch")
        ? [false, true]
        : ["false", "true"],
    status: ["published"],
    tag: ["value"],
    id: [idOf(route, subject)],
    value: ["value"],
    email: ["someone@example.org"],
    role: ["author"],
    roles: [["author"]],
    permissions: [["pages.read"]],
    parent: [subject.route.replace(/\/[^/]*$/, "") || "/"],
    template: ["default"],
    expires: ["2027-01-01"],
    password: ["correct horse battery"],
  };
  return { of: (name) => values[name], isAlways: (name) => ALWAYS.has(name) };
}

/** Notes whether something of the subject was used. */
function watch(known: SubjectValues): { known: SubjectValues; isUsed(): boolean } {
  const about = new Set(["path", "sourcePath", "pagePath", "to", "target", "id", "route"]);
  let isUsed = false;
  return {
    known: {
      ...known,
      of: (name) => {
        isUsed ||= about.has(name);
        return known.of(name);
      },
    },
    isUsed: () => isUsed,
  };
}

function bodiesOf(
  route: DeclaredRoute,
  subject: Subject,
  known: SubjectValues,
): readonly unknown[] {
  const described = UNDESCRIBED[routeName(route)];
  if (described !== undefined) return described(subject);
  if (route.body?.schema !== undefined) return validValues(route.body.schema, known);
  return [null];
}

function devChanges(subject: Subject): Readonly<Record<string, unknown>>[] {
  const path = `content/${subject.path}`;
  return [
    { op: "write", path, content: subject.content },
    { op: "delete", path },
    ...subject.frontmatter.map((patch) => ({ op: "frontmatter", path, patch })),
    { op: "write", path: `content/${subject.media}`, content: "replaced" },
    { op: "write", path: `content/${subject.media}.meta.yaml`, content: "alt: Changed\n" },
    { op: "config", key: "title", value: "Changed" },
    { op: "plugin.install", spec: "npm:value@1.0.0" },
    { op: "write", path: "themes/default/templates/value.tsx", content: "export default 1;\n" },
    { op: "write", path: "flex-objects/boat/aaaaaaaaaaaa.yaml", content: "name: Changed\n" },
  ];
}

function parametersOf(
  route: DeclaredRoute,
  subject: Subject,
  known: SubjectValues,
): { address: string; values: Record<string, string> } {
  const values: Record<string, string> = {};
  const address = route.path.replace(/[:*](\w+)/g, (_, name: string) => {
    const value = parameterOf(route, name, known, subject);
    values[name] = value;
    return value.split("/").map(encodeURIComponent).join("/");
  });
  return { address, values };
}

function parameterOf(
  route: DeclaredRoute,
  name: string,
  known: SubjectValues,
  subject: Subject,
): string {
  if (name === "path") {
    const path = String(known.of("path")?.[0] ?? "");
    return FORMS[routeName(route)]?.(path) ?? path;
  }
  if (name === "route") return subject.route.slice(1);
  if (name === "id" && PERSONAL.test(route.path)) return "none";
  if (name === "id") return String(known.of("id")?.[0] ?? "none");
  return PARAMETERS[name] ?? (route.path.includes("forms") ? "contact" : "value");
}

/** The id of the longest prefix. */
function idOf(route: string, { ids }: Subject): string {
  const prefixes = Object.keys(ids).filter((prefix) => route.startsWith(prefix));
  return ids[prefixes.toSorted((a, b) => b.length - a.length)[0] ?? ""] ?? "none";
}

function contentTypeOf(route: DeclaredRoute, body: unknown): RouteRequest["contentType"] {
  if (body === null || body === undefined) return null;
  if (MULTIPART.has(routeName(route))) return "multipart";
  return route.body?.as === "form" || route.body?.as === "raw" ? "form" : "json";
}

function multipart(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name !== "file") form.set(name, String(value));
  }
  const bytes = new Blob([Buffer.from(FILE, "base64")], { type: "application/pdf" });
  form.set("file", bytes, String(fields["file"]));
  return form;
}

function searchOf(query: unknown): string {
  const search = new URLSearchParams(textsOf(query)).toString();
  return search === "" ? "" : `?${search}`;
}

function textsOf(value: unknown): Record<string, string> {
  const entries = Object.entries(recordOf(value)).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([name, one]) => [name, String(one)]));
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
