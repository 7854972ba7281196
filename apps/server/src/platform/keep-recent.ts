/** Keeps an entry in a map of limited size: the one that was not kept anew for longest goes first. */
export function keepRecent<Key, Kept>(map: Map<Key, Kept>, key: Key, kept: Kept, most: number): void {
  map.delete(key);
  map.set(key, kept);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
