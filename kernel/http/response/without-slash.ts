import type { Request } from "express";
import type { Answer } from "../../contracts.js";

/** 301 to the same address without its trailing slash: pages never have one. */
export function withoutSlash({ ctx: { path, search } }: Request): Answer {
  const address = path.slice(0, -1).split("/").map(encodeURIComponent).join("/");
  const query = search === "" ? "" : `?${search}`;
  return {
    status: 301,
    type: "text/plain; charset=utf-8",
    body: "",
    headers: { Location: address + query },
  };
}
