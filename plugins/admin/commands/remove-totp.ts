import { type Command, optionError } from "#kernel";

/** `site users:remove-totp` */
export const removeTotp: Command = {
  name: "users:remove-totp",
  summary: "let an account sign in without the codes of its lost authenticator app",
  arguments: "<user>",
  run: async ({ args, out, site }) => {
    const name = args[0] ?? "";
    const { use } = await site();
    const users = use("users");
    const user = await (name.includes("@") ? users.findByEmail(name) : users.findByUsername(name));
    if (user === null) {
      throw optionError(`there is no account ${JSON.stringify(name)}`, {
        fix: "pass the address or the name of one that users:list shows",
      });
    }
    const isRemoved = await use("admin").removeTotp(user.id);
    out.line(isRemoved ? `${user.email} needs no codes` : `${user.email} needed no codes`);
    return 0;
  },
};
