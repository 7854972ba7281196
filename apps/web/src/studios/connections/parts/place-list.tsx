/** What is wrong with single rows or records, each with where it stands. */

export function PlaceList({ places }: { places: readonly { place: string; message: string }[] }) {
  return (
    <ul>
      {places.map(({ place, message }) => (
        <li key={place}>
          {place}: {message}
        </li>
      ))}
    </ul>
  );
}
