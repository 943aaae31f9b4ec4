import type { Request } from "express";
import type { InternalContext } from "../response/internals.js";

/** The query string without the parameters of these names; the rest is unchanged. */
export function withoutParameters(search: string, names: readonly string[]): string {
  if (search === "") return "";
  return search
    .split("&")
    .filter((pair) => !names.includes(nameOf(pair)))
    .join("&");
}

/** Takes the parameters out of a request, as if its address had never had them. */
export function dropParameters(req: Request, names: readonly string[]): void {
  const ctx: InternalContext = req.ctx;
  const rest = withoutParameters(ctx.search, names);
  if (rest === ctx.search) return;
  const [path = ""] = req.url.split("?", 1);
  ctx.search = rest;
  req.url = rest === "" ? path : `${path}?${rest}`;
  req.originalUrl = req.url;
}

/** The name of a parameter, without a key in brackets; as it is when it cannot be decoded. */
function nameOf(pair: string): string {
  const [raw = ""] = pair.split("=", 1);
  try {
    return decodeURIComponent(raw.replaceAll("+", " "));
  } catch {
    return raw;
  }
}
