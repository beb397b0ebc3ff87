// Imported before the cases: workerd does not let arktype generate code.
import { configure } from 'arktype/config';

configure({ jitless: true });
