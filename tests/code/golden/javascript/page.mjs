import Vue, { ref as signal } from 'vue';
import * as api from './api.mjs';
export { default } from './layout.mjs';

export const settings = { locale: 'sv', onSave: async (form) => api.save(form) };
export class View extends Vue {}
export default class extends View {
  mounted() { this.load(new api.Client()); }
}
const later = await import('./later.mjs');
export const Badge = ({ text }) => <b><api.Icon name={text} /><Label>å</Label></b>;
