import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Diagnostic } from "#kernel/internal";
import type {} from "../users/contract.js";

/** The first password is no longer that of the account `admin`. */
export const firstPasswordCheck: Diagnostic = {
  name: "first password",
  needsSite: true,
  run: async ({ paths, site }) => {
    const file = join(paths.runtime, "initial-admin-password");
    const password = (await readFile(file, "utf8").catch(() => "")).trim();
    if (password === "") return [];
    const users = (await site()).use("users");
    const isOpen = (await users.verifyPassword("admin", password)) !== null;
    if (isOpen) {
      const seen =
        "the account admin still has its first password, which is in initial-admin-password";
      return [{ level: "warning", seen, fix: "sign in, change the password, delete the file" }];
    }
    const fix = "delete initial-admin-password in admin.runtimeDir";
    return [
      { level: "warning", seen: "the file with a former first password is still there", fix },
    ];
  },
};
