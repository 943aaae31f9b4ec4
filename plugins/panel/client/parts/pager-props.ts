/** A part of a long list. */
export interface PagerProps {
  offset: number;
  limit: number;
  total: number;
  onMove(offset: number): void;
}
