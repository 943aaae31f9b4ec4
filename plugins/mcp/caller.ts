/** Who calls the tools: an outsider, or an API token. */
import type { AdminIdentity } from "../admin/contract.js";

/** The sender of a call. */
export interface Caller {
  /** Null: without a token, which sees what visitors see. */
  readonly identity: AdminIdentity | null;
  /** Sent with the requests of the tools; null without a token. */
  readonly authorization: string | null;
  readonly ip: string;
}
