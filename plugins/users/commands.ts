import type { Readable, Writable } from "node:stream";
import { type Command, type CommandInput, type Output, SiteError } from "#kernel";
import { zoneDay } from "#lib/dates";
import { formatTable } from "#lib/terminal";
import type { User, UsersService, PublicUser } from "./contract.js";

/** `site users:grant-role` */
export const grantRole: Command = {
  name: "users:grant-role",
  summary: "give an account a role",
  arguments: "<user> <role>",
  run: (input) =>
    withAccount(input, async (users, user) => {
      const role = input.args[1] ?? "";
      await users.grantRole(user.id, role);
      return `${user.email} has the role ${role}`;
    }),
};

/** `site users:revoke-role` */
export const revokeRole: Command = {
  name: "users:revoke-role",
  summary: "take a role from an account",
  arguments: "<user> <role>",
  run: (input) =>
    withAccount(input, async (users, user) => {
      const role = input.args[1] ?? "";
      await users.revokeRole(user.id, role);
      return `${user.email} no longer has the role ${role}`;
    }),
};

/** `site users:set-password` */
export const setPassword: Command = {
  name: "users:set-password",
  summary: "set the password of an account and end its sessions",
  arguments: "<user>",
  options: [["--password <password>", "prompts when omitted"]],
  run: (input) =>
    withAccount(input, async (users, user) => {
      await users.setPassword(user.id, await askPassword(input));
      return `${user.email} has a new password`;
    }),
};

/** `site users:delete` */
export const deleteUser: Command = {
  name: "users:delete",
  summary: "delete an account, its sessions and its permissions",
  arguments: "<user>",
  run: (input) =>
    withAccount(input, async (users, user) => {
      await users.delete(user.id);
      return `${user.email} was deleted`;
    }),
};

async function withAccount(
  input: CommandInput,
  work: (users: UsersService, user: User) => Promise<string>,
): Promise<void> {
  const users = (await input.site()).use("users");
  const user = await findAccount(users, input.args[0] ?? "");
  input.out.line(input.out.colour.green(await work(users, user)));
}

/** Finds an account by id, e-mail address or username. @throws ERR_USER_UNKNOWN. */
export async function findAccount(users: UsersService, name: string): Promise<User> {
  const user = name.includes("@")
    ? await users.findByEmail(name)
    : ((await users.findByUsername(name)) ?? (await users.get(name)));
  if (user !== null) return user;
  throw new SiteError(
    "ERR_USER_UNKNOWN",
    `no account has the id, e-mail or username ${JSON.stringify(name)}`,
    {
      fix: "see users:list",
      exitCode: 2,
    },
  );
}

/** The terminal that prompts for input. */
interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
}

/**
 * The value of `--password`, or one entered at the terminal without echo.
 * @throws ERR_USER_PASSWORD_WEAK when there is no terminal or the input is empty.
 */
export async function askPassword(
  { options }: Pick<CommandInput, "options">,
  { stdin, stdout }: Terminal = process,
): Promise<string> {
  const value = options["password"];
  if (typeof value === "string" && value !== "") return value;
  if (!stdin.isTTY) throw missing("no password was given and there is no terminal to prompt on");
  const { password } = await import("@clack/prompts");
  const ask = async (message: string): Promise<string> => {
    const answer = await password({ message, input: stdin, output: stdout });
    if (typeof answer === "string") return answer;
    throw missing("no password was given");
  };
  const first = await ask("Password (at least 12 characters)");
  if (first !== (await ask("Repeat password"))) throw missing("the two passwords differ");
  return first;
}

function missing(reason: string): SiteError {
  return new SiteError("ERR_USER_PASSWORD_WEAK", reason, {
    fix: "give --password, or run it on a terminal",
  });
}

/** `site users:create` */
export const createUser: Command = {
  name: "users:create",
  summary: "create an account with a password",
  options: [
    ["--email <address>", "e-mail address"],
    ["--username <name>", "login name for the admin panel"],
    ["--name <name>", "display name"],
    ["--role <role...>", "one or more roles: admin, editor, author, or your own"],
    ["--password <password>", "prompts when omitted"],
    ["--json", "print the account as JSON"],
  ],
  run: async (input) => {
    const { options, out } = input;
    const email = text(options["email"]);
    if (email === undefined) {
      throw new SiteError("ERR_USER_EMAIL_INVALID", "no e-mail address was given", {
        fix: "give --email",
        exitCode: 2,
      });
    }
    const users = (await input.site()).use("users");
    const password = await askPassword(input);
    const user = await createAccount(users, input, email, password);
    if (options["json"] === true) out.json(users.public(user));
    else out.line(`${out.colour.green("created")} ${user.email} (${user.id})`);
  },
};

async function createAccount(
  users: UsersService,
  { options }: CommandInput,
  email: string,
  password: string,
): Promise<User> {
  const created = await users.create({
    email,
    provider: "local",
    name: text(options["name"]),
    username: text(options["username"]),
    roles: [options["role"] ?? []].flat().map(String),
  });
  try {
    return await users.setPassword(created.id, password);
  } catch (error) {
    // Do not leave behind an account without a password.
    await users.delete(created.id);
    throw error;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

const PAGE = 500;

/** `site users:list` */
export const listUsers: Command = {
  name: "users:list",
  summary: "list the accounts",
  options: [["--json", "print as JSON"]],
  run: async ({ options, out, site }) => {
    const users = (await site()).use("users");
    const accounts: PublicUser[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = await users.list({ limit: PAGE, offset });
      accounts.push(...page.map((user) => users.public(user)));
      if (page.length < PAGE) break;
    }
    if (options["json"] === true) out.json(accounts);
    else print(out, accounts, (await site()).settings.system.timezone);
  },
};

function print(out: Output, users: readonly PublicUser[], timezone: string): void {
  const rows = users.map(({ id, email, roles, provider, createdAt }) => [
    email,
    roles.join(", ") || "-",
    provider,
    zoneDay(createdAt, timezone),
    id,
  ]);
  const lines = formatTable([["e-mail", "roles", "provider", "created", "id"], ...rows]);
  lines.forEach((line, n) => out.line(n === 0 ? out.colour.bold(line) : line));
}

/** `site authz:sign` */
export const signTuples: Command = {
  name: "authz:sign",
  summary: "sign unsigned permission tuples with SITE_AUTHZ_HMAC_SECRET",
  options: [["--dry-run", "only count the tuples"]],
  run: async ({ options, out, site }) => {
    const context = await site();
    if (context.runtime.env.get("SITE_AUTHZ_HMAC_SECRET") === undefined) {
      out.error("SITE_AUTHZ_HMAC_SECRET is not set");
      return 1;
    }
    const dryRun = options["dryRun"] === true;
    const count = await context.use("authz").sign({ dryRun });
    out.line(`${count} ${count === 1 ? "tuple" : "tuples"} ${dryRun ? "to sign" : "signed"}`);
    return 0;
  },
};
