/** Two streams of records that differ at the edges and run alike through one point: what the product does. */

const STRANDS = 9;
const WIDTH = 640;
const HEIGHT = 420;
const MIDDLE = HEIGHT / 2;

/** One strand from the left edge through the waist to the right edge. */
function strand(index: number): string {
  const spread = (index - (STRANDS - 1) / 2) * 46;
  const waist = MIDDLE + (index - (STRANDS - 1) / 2) * 5;
  return `M -20 ${MIDDLE + spread} C 170 ${MIDDLE + spread} 200 ${waist} 320 ${waist} C 440 ${waist} 470 ${MIDDLE + spread} ${WIDTH + 20} ${MIDDLE + spread}`;
}

export function AgreementPicture() {
  return (
    <svg className="ac-agreement" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden preserveAspectRatio="xMidYMid slice">
      {Array.from({ length: STRANDS }, (_, index) => (
        <g key={index} data-kind={index % 3 === 1 ? "ember" : "lagoon"}>
          <path d={strand(index)} className="ac-agreement__strand" />
          <path
            d={strand(index)}
            className="ac-agreement__record"
            pathLength={100}
            style={{ animationDelay: `${-((index * 37) % 19)}s`, animationDuration: `${14 + ((index * 5) % 7)}s` }}
          />
        </g>
      ))}
      <circle cx={320} cy={MIDDLE} r={40} className="ac-agreement__halo" />
      <circle cx={320} cy={MIDDLE} r={27} className="ac-agreement__core" />
      <circle cx={320} cy={MIDDLE} r={5} className="ac-agreement__point" />
    </svg>
  );
}
