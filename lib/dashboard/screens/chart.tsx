import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { presentLocale } from '../language/translate.ts';
import { makeScale } from './chart-scale.ts';

type Tone = 'act' | 'good' | 'warn';
type Series = { label: string; values: readonly number[]; tone: Tone };
type ChartProps = {
  /** Says to those who do not see it what it is of, and where the same stands as a table. */
  label: string;
  dates: readonly string[];
  series: readonly Series[];
};

const dashes: Readonly<Record<Tone, string>> = { act: '', good: '8 4', warn: '2 3' };

/** Pixels: how high it is, and what is left free for its labels. */
const height = 220;
const [left, right, top, bottom] = [44, 24, 8, 28];
/** So much a date takes below it. */
const widthOfDate = 80;
/** Of more points, dots would make a line by themselves. */
const maxDots = 62;

const dateLabel = new Intl.DateTimeFormat(presentLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' });
const toTime = (date: string): number => Date.parse(date.length === 7 ? `${date}-01` : date);

/** Lines over time; told apart by their dashes as well as by colour. */
export const Chart = ({ label, dates, series }: ChartProps) => {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const resizing = new ResizeObserver(() => setWidth(element.clientWidth));
    resizing.observe(element);
    return () => resizing.disconnect();
  }, []);
  return (
    <figure class="figure">
      <ul class="legend" aria-hidden="true">
        {series.map(({ label: name, tone }) => (
          <li key={name} class={tone}>
            <svg viewBox="0 0 28 4" aria-hidden="true">
              <line x1="0" y1="2" x2="28" y2="2" stroke-dasharray={dashes[tone]} />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <div ref={place} class="chart" role="img" aria-label={label}>
        {width > 0 && <Drawing times={dates.map(toTime)} {...{ series, width }} />}
      </div>
    </figure>
  );
};

/** Those of the times whose dates have room side by side, from the first on. */
const spaceOut = (times: readonly number[], x: (time: number) => number): number[] => {
  const shown: number[] = [];
  for (const time of times) {
    const before = shown.at(-1);
    if (before === undefined || x(time) - x(before) >= widthOfDate) shown.push(time);
  }
  return shown;
};

type DrawingProps = { times: readonly number[]; series: readonly Series[]; width: number };

const Drawing = ({ times, series, width }: DrawingProps) => {
  const ticks = makeScale(Math.max(...series.flatMap(({ values }) => values)));
  const [first = 0, last = 0] = [times.at(0), times.at(-1)];
  const across = width - left - right;
  const most = ticks.at(-1) ?? 1;
  const x = (time: number): number => left + across * (last > first ? (time - first) / (last - first) : 0.5);
  const y = (value: number): number => height - bottom - (value / most) * (height - top - bottom);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {ticks.map((value) => (
        <g key={value}>
          <line class="grid" x1={left} x2={width - right} y1={y(value)} y2={y(value)} />
          <text x={left - 8} y={y(value) + 4} text-anchor="end">
            {value}
          </text>
        </g>
      ))}
      {spaceOut(times, x).map((time) => (
        <text key={time} x={x(time)} y={height - 8} text-anchor="middle">
          {dateLabel.format(time)}
        </text>
      ))}
      {series.map(({ label, values, tone }) => (
        <Line key={label} tone={tone} points={times.map((time, at) => [x(time), y(values[at] ?? 0)])} />
      ))}
    </svg>
  );
};

const Line = ({ points, tone }: { points: readonly (readonly [x: number, y: number])[]; tone: Tone }) => (
  <g class={tone}>
    <polyline points={points.join(' ')} stroke-dasharray={dashes[tone]} />
    {points.length <= maxDots && points.map(([x, y]) => <circle key={x} cx={x} cy={y} r="2.5" />)}
  </g>
);
