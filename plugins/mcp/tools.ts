/** The routes that are declared as tools. */
import { SiteError, type RouteDefinition, type SiteContext } from "#kernel";
import type { RouteTool } from "#kernel/internal";
import type { AdminIdentity, Permission } from "../admin/contract.js";
import { inputOf, type ToolInput } from "./tool-input.js";

/** A route as a tool. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly route: RouteDefinition;
  readonly declared: RouteTool;
  /** `write`: needs a second call; `propose`: waits for a person. */
  readonly effect: "read" | "write" | "propose";
  readonly input: ToolInput;
}

/** The tools of a site, by name. */
export class Tools {
  readonly #site: SiteContext;
  // No cache: routes and their schemas do not change while the site runs.
  #tools: ReadonlyMap<string, Tool> | null = null;

  constructor(site: SiteContext) {
    this.#site = site;
    site.lifecycle.onReady(() => void this.#all());
  }

  /** The tools that an identity may use; null: an outsider. */
  of(identity: AdminIdentity | null): Tool[] {
    return [...this.#all().values()].filter((tool) => isFor(tool, identity));
  }

  /** The tool of this name; undefined where it does not exist for the identity. */
  find(name: string, identity: AdminIdentity | null): Tool | undefined {
    const tool = this.#all().get(name);
    return tool !== undefined && isFor(tool, identity) ? tool : undefined;
  }

  /** @throws ERR_MCP_TOOL for a name that two routes have. */
  #all(): ReadonlyMap<string, Tool> {
    if (this.#tools !== null) return this.#tools;
    const tools = new Map<string, Tool>();
    for (const route of this.#site.http.routes) {
      const { tool: declared } = route;
      if (declared === undefined) continue;
      if (tools.has(declared.name)) {
        const message = `tool ${JSON.stringify(declared.name)} is declared twice`;
        throw new SiteError("ERR_MCP_TOOL", message, { fix: "give one another name" });
      }
      tools.set(declared.name, this.#toolOf(route, declared));
    }
    this.#tools = tools;
    return tools;
  }

  #toolOf(route: RouteDefinition, declared: RouteTool): Tool {
    const effect = route.method === "get" ? "read" : (declared.effect ?? "write");
    const description = declared.description ?? route.summary;
    const document = this.#site.use("openapi").document("admin");
    const input = inputOf({ route, declared, effect }, document);
    return { name: declared.name, description, route, declared, effect, input };
  }
}

function isFor({ route: { permission } }: Tool, identity: AdminIdentity | null): boolean {
  if (permission === undefined) return true;
  if (identity === null) return false;
  const held: ReadonlySet<string> = identity.permissions satisfies ReadonlySet<Permission>;
  return permission === "any" || held.has(permission);
}
