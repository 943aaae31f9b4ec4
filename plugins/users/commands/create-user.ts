import { SiteError, type Command, type CommandInput } from "#kernel";
import type { User, UsersService } from "../contract.js";
import { askPassword } from "./ask-password.js";

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
    const user = await create(users, { input, email, password });
    if (options["json"] === true) out.json(users.public(user));
    else out.line(`${out.colour.green("created")} ${user.email} (${user.id})`);
  },
};

async function create(
  users: UsersService,
  { input, email, password }: { input: CommandInput; email: string; password: string },
): Promise<User> {
  const { options } = input;
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
