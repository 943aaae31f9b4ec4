import { runCommand } from "./run-command.js";

/** A user of the system. */
export interface Account {
  uid: number;
  gid: number;
}

/** The user nobody for servers that do not run as root; null when this process is another user already. */
export async function serverAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number(await runCommand("id", [flag, "nobody"]))),
  );
  return { uid: uid ?? 65534, gid: gid ?? 65534 };
}
