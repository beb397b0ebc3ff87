// Who chooses pnpm in one group of tabs sees it in all others, on the next pages too.
import type { Router } from 'vitepress';

const KEY = 'fw-docs-tabs';

export function rememberTabs(router: Router): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.vp-code-group')) return;
    const name = nameOf(target);
    const others = stored().filter((one) => !namesBeside(target).includes(one));
    localStorage.setItem(KEY, JSON.stringify([name, ...others]));
    const at = target.getBoundingClientRect().top;
    showStored();
    // The groups above may have become taller.
    window.scrollBy(0, target.getBoundingClientRect().top - at);
  });
  const before = router.onAfterRouteChange;
  router.onAfterRouteChange = async (to) => {
    await before?.(to);
    requestAnimationFrame(showStored);
  };
}

function showStored(): void {
  const names = stored();
  for (const input of document.querySelectorAll<HTMLInputElement>('.vp-code-group .tabs input')) {
    if (!input.checked && names.includes(nameOf(input))) input.click();
  }
}

function nameOf(input: HTMLInputElement): string {
  return input.nextElementSibling?.textContent?.trim() ?? '';
}

function namesBeside(input: HTMLInputElement): string[] {
  return [...(input.parentElement?.querySelectorAll('input') ?? [])].map(nameOf);
}

function stored(): string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}
