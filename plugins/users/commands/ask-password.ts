import { SiteError, type CommandInput } from "#kernel";

/**
 * The password of `--password`, else asked for on a terminal, where it is not echoed.
 * @throws ERR_USER_PASSWORD_WEAK when nobody can be asked or nothing was given.
 */
export async function askPassword({ options }: CommandInput): Promise<string> {
  const given = options["password"];
  if (typeof given === "string" && given !== "") return given;
  if (!process.stdin.isTTY)
    throw missing("no password was given and there is no terminal to ask on");
  const { isCancel, password } = await import("@clack/prompts");
  const first = await password({ message: "Password (at least 12 characters)" });
  const again = isCancel(first) ? first : await password({ message: "Once more" });
  if (isCancel(first) || isCancel(again)) throw missing("no password was given");
  if (first !== again) throw missing("the two passwords differ");
  return first;
}

function missing(reason: string): SiteError {
  return new SiteError("ERR_USER_PASSWORD_WEAK", reason, {
    fix: "give --password, or run it on a terminal",
  });
}
