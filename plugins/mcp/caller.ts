/** Who calls the tools: an outsider, an API token, or a person who approves a write. */
import type { AdminIdentity } from "../admin/contract.js";

/** The sender of a call. */
export interface Caller {
  /** Null: without a token, which sees what visitors see. */
  readonly identity: AdminIdentity | null;
  /** Sent with the requests of the tools; null without a token. */
  readonly authorization: string | null;
  /** Headers of a person's session, which are sent instead. */
  readonly session?: Readonly<Record<string, string>>;
  readonly ip: string;
}
