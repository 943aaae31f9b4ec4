// A site with its admin API, and logged-in clients.
import type { NewApiToken } from "../../../plugins/admin/contract.js";
import { bootSite, type BootOptions, type TestSite } from "./boot-site.js";

/** The plugins for tests of the admin API. */
export const adminPlugins = [
  "admin",
  "cache",
  "check",
  "content",
  "flex",
  "history",
  "markdown",
  "media",
  "pages",
  "search",
  "security",
  "session",
  "users",
  "webhooks",
];
export const password = "correct horse battery";

/** A client of the admin API of a test site. */
export interface AdminClient {
  /** Account id; empty for tokens. */
  id: string;
  cookie: string;
  csrf: string;
  /** Sends JSON (or `init.body` unchanged) with everything the guard requires. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** The JSON of a response with the expected status. */
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of many shapes, asserted by each test
  json(status: number, ...request: Parameters<AdminClient["send"]>): Promise<any>;
}
export interface AdminSite extends TestSite {
  as(role: string, options?: { username?: string }): Promise<AdminClient>;
  /** A client with a new token, of no account and without a limit unless `more` has them. */
  withToken(permissions: readonly string[], more?: Partial<NewApiToken>): Promise<AdminClient>;
  /** The audit log's events. */
  audit(): Promise<
    {
      event: string;
      outcome: string;
      actor: { id: string; name: string } | null;
      target: { type: string; id: string } | null;
      detail: Record<string, unknown>;
    }[]
  >;
}

export async function bootAdmin(options: BootOptions = {}): Promise<AdminSite> {
  const site = await bootSite({
    plugins: adminPlugins,
    ...options,
    files: {
      "content/01.home/default.md": "---\ntitle: Home\n---\n# Home\n",
      "content/02.blog/blog.md": "---\ntitle: Blog\n---\nAll posts.\n",
      "content/02.blog/01.first/post.md":
        "---\n# a comment\ntitle: First\ntags: [a]\n---\nFirst body.\n",
      "content/02.blog/02.second/post.md":
        "---\ntitle: Second\nstatus: draft\n---\nSee [first](/blog/first).\n",
      ...options.files,
    },
  });
  const withToken: AdminSite["withToken"] = async (permissions, more) => {
    const plain = { name: "token", permissions, userId: null, expiresAt: null };
    const { secret } = await site.site.use("admin").tokens.create({ ...plain, ...more });
    return client(site, { id: "", cookie: "", csrf: "", bearer: secret });
  };
  return {
    ...site,
    withToken,
    as: (role, given = {}) => signIn(site, role, given.username ?? `${role}-user`),
    audit: async () => {
      const reader = await withToken(["users.manage"]);
      const { entries } = await reader.json(200, "GET", "/admin/api/audit?limit=200");
      return entries.reverse();
    },
  };
}

/** Creates an account and logs it in. */
export async function signIn(site: TestSite, role: string, username: string): Promise<AdminClient> {
  const users = site.site.use("users");
  const user = await users.create({
    email: `${username}@example.org`,
    username,
    provider: "local",
    roles: [role],
  });
  await users.setPassword(user.id, password);
  const answer = await postLogin(site, { username, password });
  if (answer.status === 200) return clientOf(site, user.id, answer);
  return client(site, { id: user.id, cookie: cookieOf(answer), csrf: "" });
}

/** Sends a login of the panel as JSON. */
export function postLogin(
  site: Pick<TestSite, "fetch">,
  fields: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return site.fetch("/admin/login", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(fields),
  });
}

/** The session that a response began, or continued under a new id. */
export async function clientOf(site: TestSite, id: string, answer: Response): Promise<AdminClient> {
  const { csrfToken } = (await answer.json()) as { csrfToken: string };
  return client(site, { id, cookie: cookieOf(answer), csrf: csrfToken });
}

/** The first cookie that a response sets, as a browser sends it back. */
export function cookieOf(answer: Response): string {
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

export function client(
  site: TestSite,
  who: { id: string; cookie: string; csrf: string; bearer?: string },
): AdminClient {
  const send: AdminClient["send"] = (method, path, body, headers = {}) => {
    const isRaw = typeof body === "string" || body instanceof FormData;
    return site.fetch(path, {
      method,
      headers: {
        ...(who.cookie && {
          cookie: who.cookie,
          "x-csrf-token": who.csrf,
          "sec-fetch-site": "same-origin",
        }),
        ...(who.bearer && { authorization: `Bearer ${who.bearer}` }),
        ...(body !== undefined &&
          !(body instanceof FormData) && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    });
  };
  return {
    ...who,
    send,
    json: async (status, ...request) => {
      const [method, path] = request;
      const answer = await send(...request);
      const text = await answer.text();
      if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    },
  };
}
