import type { EngineSlot, SiteContext } from "#kernel";
import type { Analytics } from "./analytics.js";
import type { SearchEngine, SearchTools } from "./contract.js";
import type { SearchIndex } from "./index/search-index.js";
import type { Sources } from "./index/sources.js";
import type { Texts } from "./index/texts.js";

/** Dependencies of the service. */
export interface SearchParts {
  readonly site: SiteContext;
  readonly slot: EngineSlot<SearchEngine>;
  readonly sources: Sources;
  readonly texts: Texts;
  readonly analytics: Analytics;
  readonly tools: SearchTools;
  /** Null until the engine is chosen. */
  index(): SearchIndex | null;
}
