import type { List } from "../content/pages.js";
import { json } from "../request.js";
import type { ApiToken } from "../../../../admin/contract.js";

export type { ApiToken } from "../../../../admin/contract.js";

/** The own tokens, or all for those who manage accounts. */
export function listTokens(): Promise<List<ApiToken>> {
  return json("/tokens");
}

/** Creates a token; its text is returned only here. */
export function createToken(token: {
  name: string;
  permissions: readonly string[];
  /** `YYYY-MM-DD`; null: never. */
  expires: string | null;
  paths: readonly string[] | null;
  fields: readonly string[] | null;
}): Promise<ApiToken & { token: string }> {
  return json("/tokens", { method: "POST", body: token });
}

/** Makes a token invalid. */
export function revokeToken(id: string): Promise<unknown> {
  return json(`/tokens/${encodeURIComponent(id)}`, { method: "DELETE" });
}
