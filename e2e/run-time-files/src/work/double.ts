export const double = (value: number): number => value * 2;
