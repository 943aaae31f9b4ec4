import type { z } from "zod";
import { HttpError, KeyedLock } from "#kernel";
import type { User, UsersService } from "../../../users/contract.js";
import { allUsers } from "../../accounts/all-users.js";
import { notifyOwner } from "../../accounts/account-mail.js";
import { assertMayGive, assertMayManage } from "../../accounts/roles.js";
import { note, notFound, type AdminContext } from "../admin-context.js";
import { PERMISSION_TEXTS, PERMISSIONS } from "../../accounts/permissions.js";
import { accountsApi } from "../../schemas/accounts.js";
const LIMIT = 16_384;
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Accounts; the last administrator cannot be removed. */
export function userRoutes(context: AdminContext): void {
  const { admin, site } = context;
  const users = site.use("users");
  const accounts = new Accounts(users);
  admin.route({
    method: "get",
    path: "/users",
    permission: "users.manage",
    summary: "Accounts, oldest first, or those that a search finds",
    responses: accountsApi["GET /users"].responses,
    query: accountsApi["GET /users"].query,
    handler: async (req, res, { query, identity }) => {
      const { q, limit, offset } = query;
      const currentUserId = identity.id;
      if (q === "") {
        const items = (await users.list({ limit, offset })).map(shown);
        const total = await users.count();
        await site.http.json(req, res, { users: items, total, currentUserId });
        return;
      }
      const found: User[] = [];
      for await (const user of allUsers(users)) if (hasText(user, q)) found.push(user);
      const items = found.slice(offset, offset + limit).map(shown);
      await site.http.json(req, res, { users: items, total: found.length, currentUserId });
    },
  });
  admin.route({
    method: "post",
    path: "/users",
    permission: "users.manage",
    summary: "Create an account",
    responses: accountsApi["POST /users"].responses,
    body: { as: "json", limit: LIMIT, schema: accountsApi["POST /users"].body },
    handler: async (req, res, { body, identity }) => {
      assertMayGive(context, identity, body.roles);
      const user = await accounts.create(body);
      note(context, req, {
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
    responses: accountsApi["GET /users/:id"].responses,
    handler: async (req, res, { params }) => {
      await site.http.json(req, res, shown(await accounts.get(params["id"])));
    },
  });
  addChanges(context, accounts);
}

function hasText({ name, username, email }: User, words: string): boolean {
  const text = [name, username, email].filter(Boolean).join("\n").toLowerCase();
  return text.includes(words.trim().toLowerCase());
}

function addChanges(context: AdminContext, accounts: Accounts): void {
  const { admin, site } = context;
  admin.route({
    method: "put",
    path: "/users/:id",
    permission: "users.manage",
    summary: "Change an account's names and roles, or enable and disable it",
    responses: accountsApi["PUT /users/:id"].responses,
    body: { as: "json", limit: LIMIT, schema: accountsApi["PUT /users/:id"].body },
    handler: async (req, res, { params, body, identity }) => {
      const account = await accounts.get(params["id"]);
      await assertMayManage(context, identity, account);
      assertMayGive(context, identity, body.roles ?? []);
      const { email } = account;
      const user = await accounts.update(account.id, body);
      if (user.email !== email) await notifyOwner(site, email, "email");
      const detail = { fields: Object.keys(body).join(" "), roles: user.roles.join(" ") };
      note(context, req, {
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
    responses: accountsApi["PUT /users/:id/password"].responses,
    body: { as: "json", limit: LIMIT, schema: accountsApi["PUT /users/:id/password"].body },
    handler: async (req, res, { params, body, identity }) => {
      const user = await accounts.get(params["id"]);
      await assertMayManage(context, identity, user);
      const { id, email } = user;
      await site.use("users").setPassword(id, body.password);
      await notifyOwner(site, email, "password");
      note(context, req, { event: "user.password", actor: identity, target: { type: "user", id } });
      await site.http.json(req, res, { updated: true });
    },
  });
  admin.route({
    method: "delete",
    path: "/users/:id",
    permission: "users.manage",
    summary: "Delete an account, its sessions and its roles",
    responses: accountsApi["DELETE /users/:id"].responses,
    handler: async (req, res, { params, identity }) => {
      const id = params["id"] ?? "";
      if (id === identity.id) throw new HttpError(400, "you cannot delete your own account");
      await assertMayManage(context, identity, await accounts.get(id));
      await accounts.remove(id);
      note(context, req, { event: "user.delete", actor: identity, target: { type: "user", id } });
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

  async create({
    password,
    ...user
  }: z.infer<(typeof accountsApi)["POST /users"]["body"]>): Promise<User> {
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

  async update(
    id: string,
    change: z.infer<(typeof accountsApi)["PUT /users/:id"]["body"]>,
  ): Promise<User> {
    return this.#lock.run("admins", async () => {
      const losesAdmin = change.enabled === false || change.roles?.includes("admin") === false;
      if (losesAdmin) await this.#assertNotLast(id);
      const fields = Object.entries(change).filter(([, value]) => value !== undefined);
      return this.#users.update(id, (user) => ({ ...user, ...Object.fromEntries(fields) }));
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
    for await (const user of allUsers(this.#users))
      if (user.roles.includes("admin") && user.enabled !== false) admins.push(user);
    if (!admins.some((user) => user.id === id) || admins.length > 1) return;
    throw new HttpError(409, "the last admin cannot be removed", { code: "ERR_ADMIN_LAST" });
  }
}

/** An account without its secrets. */
export function shown(user: User): Record<string, unknown> {
  const { id, email, name = null, username = null, roles: roleNames, provider } = user;
  const { createdAt, updatedAt, lastSeenAt, enabled = true } = user;
  const hasPassword = user.passwordHash !== undefined;
  return {
    id,
    email,
    name,
    username,
    roles: roleNames,
    provider,
    createdAt,
    updatedAt,
    lastSeenAt,
    enabled,
    hasPassword,
  };
}

/** The roles that open the panel, and what their permissions allow. */
export function roleRoutes({ admin, site, account }: AdminContext): void {
  admin.route({
    method: "get",
    path: "/permissions",
    permission: "any",
    summary: "Every permission with its title and what it allows",
    responses: accountsApi["GET /permissions"].responses,
    query: accountsApi["GET /permissions"].query,
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
    responses: accountsApi["GET /roles"].responses,
    handler: async (req, res) => {
      const items = account.roles.all;
      await site.http.json(req, res, { items, total: items.length, permissions: PERMISSIONS });
    },
  });
}
