package pricetag

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// The pack of all storefronts, with the table of locales de-CH and ff-Adlm-GN and the currencies CHF and GNF.
func open(t testing.TB) *Pack {
	t.Helper()
	path := os.Getenv("PRICETAG_PACK")
	if path == "" {
		t.Skip("PRICETAG_PACK is not set")
	}
	pack, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return pack
}

func TestPricesAndErrors(t *testing.T) {
	pack := open(t)
	day := Date{2026, 1, 31}
	for _, row := range []struct {
		storefront string
		date       Date
		amount     string
		rounding   Rounding
		text       string
		code       string
	}{
		{"JPN", Date{}, "1200", Exact, "￥1,200", ""},
		{"jp", Date{}, "1200", Exact, "￥1,200", ""},
		{"USA", Date{}, "-1234.5", Exact, "-$1,234.50", ""},
		{"DEU", Date{}, "49.99", Exact, "49,99\u00a0€", ""},
		{"EGY", Date{}, "1499.99", Exact, "\u200f١٬٤٩٩٫٩٩\u00a0ج.م.\u200f", ""},
		{"BGR", day, "0.99", Exact, "€0.99", ""},
		{"USA", Date{}, "4.995", HalfEven, "$5.00", ""},
		{"USA", Date{}, "4.995", Down, "$4.99", ""},
		{"JPN", Date{}, "4.99", Exact, "", "needs-rounding"},
		{"USA", Date{}, "4.99", Rounding(99), "", "invalid-argument"},
		{"USA", Date{}, "", Exact, "", "malformed-amount"},
		{"USA", Date{}, "4,99", Exact, "", "malformed-amount"},
		{"USA", Date{}, "1\x00", Exact, "", "malformed-amount"},
		{"USA", Date{}, "1\xff", Exact, "", "malformed-amount"},
		{"USA", Date{}, "𝟙", Exact, "", "malformed-amount"},
		{"USA", Date{}, strings.Repeat("9", 19), Exact, "", "amount-out-of-range"},
		{"USA", Date{}, strings.Repeat("9", 1<<20), Exact, "", "amount-out-of-range"},
		{"XXX", Date{}, "1", Exact, "", "unknown-storefront"},
		{"USA\x00", Date{}, "1", Exact, "", "unknown-storefront"},
		{"BGR", Date{}, "1", Exact, "", "missing-date"},
		{"USA", Date{2026, 13, 1}, "1", Exact, "", "invalid-argument"},
	} {
		var text string
		formatter, err := pack.Storefront(row.storefront, row.date)
		if err == nil {
			text, err = formatter.Format(row.amount, row.rounding)
		}
		if text != row.text || CodeOf(err) != row.code {
			t.Errorf("%s %.30q: %q, %v; expected %q, %s", row.storefront, row.amount, text, err, row.text, row.code)
		}
	}
}

func TestMinorUnitsAndSpokenForms(t *testing.T) {
	usa, err := open(t).Storefront("USA", Date{})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := usa.FormatUnits(499, 2, Exact); text != "$4.99" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := usa.FormatUnits(499, -1, Exact); text != "" || CodeOf(err) != "amount-out-of-range" {
		t.Errorf("%q, %v", text, err)
	}
	spoken, err := usa.Spoken()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := spoken.Format("1.00", Exact); text != "1.00 US dollars" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

func TestLocales(t *testing.T) {
	pack := open(t)
	for _, row := range []struct{ locale, currency, amount, text, code string }{
		{"de-CH", "CHF", "1234.50", "CHF\u00a01’234.50", ""},
		// Digits outside the Basic Multilingual Plane.
		{"ff-Adlm-GN", "GNF", "1234", "FG\u00a0𞥑⹁𞥒𞥓𞥔", ""},
		{"de-CH", "XXX", "1", "", "unknown-currency"},
		{"de-CH", "CHF\x00", "1", "", "unknown-currency"},
		{"tlh", "CHF", "1", "", "unknown-locale"},
	} {
		var text string
		formatter, err := pack.Locale(row.locale, row.currency)
		if err == nil {
			text, err = formatter.Format(row.amount, Exact)
		}
		if text != row.text || CodeOf(err) != row.code {
			t.Errorf("%v: %q, %v", row, text, err)
		}
	}
}

func TestPacksThatCannotBeOpened(t *testing.T) {
	folder := t.TempDir()
	bytes, err := os.ReadFile(os.Getenv("PRICETAG_PACK"))
	if err != nil {
		t.Skip("PRICETAG_PACK cannot be read")
	}
	for name, content := range map[string][]byte{
		"not-a-pack": []byte("a file with something else in it"), "truncated-pack": bytes[:len(bytes)/2],
		"damaged-pack": append(append([]byte{}, bytes[:len(bytes)-1]...), bytes[len(bytes)-1]^1),
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); CodeOf(err) != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = Open(filepath.Join(folder, "none"))
	var priceError *Error
	if !errors.As(err, &priceError) || priceError.Code != "unreadable-file" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if !strings.Contains(err.Error(), "no such file or directory") || !strings.HasSuffix(err.Error(), priceError.Fix) {
		t.Errorf("%v", err)
	}
	if _, err := Open("a\x00b"); CodeOf(err) != "invalid-argument" {
		t.Errorf("%v", err)
	}
}

// Formatters keep their pack, also while goroutines use them and the garbage collector runs.
func TestGoroutinesAndFinalizers(t *testing.T) {
	var group sync.WaitGroup
	for worker := 0; worker < 4; worker++ {
		usa, err := open(t).Storefront("USA", Date{})
		if err != nil {
			t.Fatal(err)
		}
		group.Add(1)
		go func() {
			defer group.Done()
			for index := 0; index < 5000; index++ {
				if index%500 == 0 {
					runtime.GC()
				}
				if text, err := usa.Format("1234.5", Exact); text != "$1,234.50" || err != nil {
					t.Errorf("%q, %v", text, err)
					return
				}
			}
		}()
	}
	group.Wait()
}

func BenchmarkFormat(b *testing.B) {
	usa, err := open(b).Storefront("USA", Date{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for index := 0; index < b.N; index++ {
		if _, err := usa.Format("1234.5", Exact); err != nil {
			b.Fatal(err)
		}
	}
}
