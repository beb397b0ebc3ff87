// Stands where something is being loaded.
export function Skeleton({ label, lines }: { label: string; lines: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="hidden-text">{label}</span>
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((key) => (
        <span key={key} className="skeleton-bar" />
      ))}
    </div>
  );
}
