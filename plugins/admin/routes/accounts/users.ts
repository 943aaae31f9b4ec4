import { z } from "zod";
import { HttpError, KeyedLock } from "#kernel";
import type { User, UsersService } from "../../../users/contract.js";
import { notifyOwner } from "../../accounts/account-mail.js";
import { assertMayGive, assertMayManage } from "../../accounts/roles.js";
import { answers } from "../answers.js";
import { note, notFound, type RouteParts, sliceQuery } from "../route-parts.js";
import { PERMISSION_LANGUAGES, PERMISSION_TEXTS, PERMISSIONS } from "../../accounts/permissions.js";

const roles = z.array(z.string().max(64)).max(50);
const createBody = z.object({
  email: z.string().max(320),
  username: z.string().max(64).optional(),
  name: z.string().max(200).optional(),
  roles: roles.default([]),
  password: z.string().max(1_024).optional(),
});
const updateBody = z.object({
  email: z.string().max(320).optional(),
  username: z.string().max(64).optional(),
  name: z.string().max(200).optional(),
  roles: roles.optional(),
  enabled: z.boolean().optional(),
});
const passwordBody = z.object({ password: z.string().max(1_024) });
const listQuery = z.object(sliceQuery(200));
const LIMIT = 16_384;
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Accounts; the last administrator cannot be removed. */
export function userRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  const users = site.use("users");
  const accounts = new Accounts(users);
  admin.route({
    method: "get",
    path: "/users",
    permission: "users.manage",
    summary: "Accounts, oldest first",
    responses: answers.users,
    query: listQuery,
    handler: async (req, res, { query, identity }) => {
      const items = (await users.list(query)).map(shown);
      const total = await users.count();
      await site.http.json(req, res, { users: items, total, currentUserId: identity.id });
    },
  });
  admin.route({
    method: "post",
    path: "/users",
    permission: "users.manage",
    summary: "Create an account",
    responses: answers.userCreate,
    body: { as: "json", limit: LIMIT, schema: createBody },
    handler: async (req, res, { body, identity }) => {
      assertMayGive(parts, identity, body.roles);
      const user = await accounts.create(body);
      note(parts, req, {
        event: "user.create",
        actor: identity,
        target: { type: "user", id: user.id },
      });
      await site.http.json(req, res, { created: true, user: shown(user) }, { status: 201 });
    },
  });
  admin.route({
    method: "get",
    path: "/users/:id",
    permission: "users.manage",
    summary: "One account",
    responses: answers.user,
    handler: async (req, res, { params }) => {
      await site.http.json(req, res, shown(await accounts.get(params["id"])));
    },
  });
  addChanges(parts, accounts);
}

function addChanges(parts: RouteParts, accounts: Accounts): void {
  const { admin, site } = parts;
  admin.route({
    method: "put",
    path: "/users/:id",
    permission: "users.manage",
    summary: "Change an account's names and roles, or enable and disable it",
    responses: answers.userUpdate,
    body: { as: "json", limit: LIMIT, schema: updateBody },
    handler: async (req, res, { params, body, identity }) => {
      const found = await accounts.get(params["id"]);
      await assertMayManage(parts, identity, found);
      assertMayGive(parts, identity, body.roles ?? []);
      const { email } = found;
      const user = await accounts.update(found.id, body);
      if (user.email !== email) await notifyOwner(site, email, "email");
      const detail = { fields: Object.keys(body).join(" "), roles: user.roles.join(" ") };
      note(parts, req, {
        event: "user.update",
        actor: identity,
        target: { type: "user", id: user.id },
        detail,
      });
      await site.http.json(req, res, { updated: true, user: shown(user) });
    },
  });
  admin.route({
    method: "put",
    path: "/users/:id/password",
    permission: "users.manage",
    summary: "Set a password and end the account's sessions",
    responses: answers.userPassword,
    body: { as: "json", limit: LIMIT, schema: passwordBody },
    handler: async (req, res, { params, body, identity }) => {
      const found = await accounts.get(params["id"]);
      await assertMayManage(parts, identity, found);
      const { id, email } = found;
      await site.use("users").setPassword(id, body.password);
      await notifyOwner(site, email, "password");
      note(parts, req, { event: "user.password", actor: identity, target: { type: "user", id } });
      await site.http.json(req, res, { updated: true });
    },
  });
  admin.route({
    method: "delete",
    path: "/users/:id",
    permission: "users.manage",
    summary: "Delete an account, its sessions and its roles",
    responses: answers.userDelete,
    handler: async (req, res, { params, identity }) => {
      const id = params["id"] ?? "";
      if (id === identity.id) throw new HttpError(400, "you cannot delete your own account");
      await assertMayManage(parts, identity, await accounts.get(id));
      await accounts.remove(id);
      note(parts, req, { event: "user.delete", actor: identity, target: { type: "user", id } });
      await site.http.json(req, res, { deleted: true, id });
    },
  });
}

/** Changes of accounts; serialised where the last administrator could be removed. */
class Accounts {
  readonly #users: UsersService;
  readonly #lock = new KeyedLock();

  constructor(users: UsersService) {
    this.#users = users;
  }

  async get(id = ""): Promise<User> {
    const user = ID.test(id) ? await this.#users.get(id) : null;
    if (user === null) throw notFound();
    return user;
  }

  async create({ password, ...user }: z.infer<typeof createBody>): Promise<User> {
    const created = await this.#users.create({ ...user, provider: "local" });
    if (password === undefined) return created;
    try {
      return await this.#users.setPassword(created.id, password);
    } catch (error) {
      // Do not leave behind an account without a password.
      await this.#users.delete(created.id);
      throw error;
    }
  }

  async update(id: string, change: z.infer<typeof updateBody>): Promise<User> {
    return this.#lock.run("admins", async () => {
      const losesAdmin = change.enabled === false || change.roles?.includes("admin") === false;
      if (losesAdmin) await this.#assertNotLast(id);
      const given = Object.entries(change).filter(([, value]) => value !== undefined);
      return this.#users.update(id, (user) => ({ ...user, ...Object.fromEntries(given) }));
    });
  }

  async remove(id: string): Promise<void> {
    await this.#lock.run("admins", async () => {
      await this.#assertNotLast(id);
      await this.#users.delete(id);
    });
  }

  /** @throws ERR_ADMIN_LAST (409). */
  async #assertNotLast(id: string): Promise<void> {
    const admins: User[] = [];
    for (let offset = 0; ; offset += 500) {
      const batch = await this.#users.list({ limit: 500, offset });
      admins.push(
        ...batch.filter((user) => user.roles.includes("admin") && user.enabled !== false),
      );
      if (batch.length < 500) break;
    }
    if (!admins.some((user) => user.id === id) || admins.length > 1) return;
    throw new HttpError(409, "the last admin cannot be removed", { code: "ERR_ADMIN_LAST" });
  }
}

/** An account without its secrets. */
export function shown(user: User): Record<string, unknown> {
  const { id, email, name = null, username = null, roles: own, provider } = user;
  const { createdAt, updatedAt, lastSeenAt, enabled = true } = user;
  const hasPassword = user.passwordHash !== undefined;
  return {
    id,
    email,
    name,
    username,
    roles: own,
    provider,
    createdAt,
    updatedAt,
    lastSeenAt,
    enabled,
    hasPassword,
  };
}

const text = z.string();
const list = z.object({
  items: z.array(
    z.object({
      name: text,
      permissions: z.array(text),
      builtIn: z.boolean(),
      paths: z.array(text).nullable().describe("Where permissions of pages and media apply"),
    }),
  ),
  total: z.int(),
  permissions: z.array(text).describe("Every permission"),
});

const explained = z.object({
  items: z.array(
    z.object({
      name: text,
      title: text,
      description: text.describe("What it allows, in one sentence"),
      own: z.boolean().describe("Whether the signed-in identity has it"),
    }),
  ),
  total: z.int(),
});
const textsQuery = z.object({
  lang: z.enum(PERMISSION_LANGUAGES).default("en").describe("Language of the texts"),
});

/** The roles that open the panel, and what their permissions allow. */
export function roleRoutes({ admin, site, account }: RouteParts): void {
  admin.route({
    method: "get",
    path: "/permissions",
    permission: "any",
    summary: "Every permission with its title and what it allows",
    responses: { 200: explained },
    query: textsQuery,
    handler: async (req, res, { query, identity }) => {
      const items = PERMISSIONS.map((name) => ({
        name,
        ...PERMISSION_TEXTS[name][query.lang],
        own: identity.permissions.has(name),
      }));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "get",
    path: "/roles",
    permission: "users.manage",
    summary: "Roles of the panel, built-in ones and those of admin.yaml",
    responses: { 200: list },
    handler: async (req, res) => {
      const items = account.roles.all;
      await site.http.json(req, res, { items, total: items.length, permissions: PERMISSIONS });
    },
  });
}
