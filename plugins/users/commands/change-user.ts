import type { Command, CommandInput } from "#kernel";
import type { User, UsersService } from "../contract.js";
import { askPassword } from "./ask-password.js";
import { findAccount } from "./find-account.js";

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
