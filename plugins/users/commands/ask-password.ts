import type { Readable, Writable } from "node:stream";
import { SiteError, type CommandInput } from "#kernel";

/** The terminal that prompts for input. */
export interface Terminal {
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
  const given = options["password"];
  if (typeof given === "string" && given !== "") return given;
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
