package pricetag.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.NamedArgumentExpression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.FractionalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Function1;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * Adds the SQL functions of PriceTag to a session: {@code spark.sql.extensions=pricetag.spark.PriceExtensions}.
 *
 * <p>docs/sql.md describes the functions, and the settings {@code spark.pricetag.*}, which are read when a query is analyzed.
 */
public final class PriceExtensions implements Function1<SparkSessionExtensions, BoxedUnit> {
  private static final List<String> STOREFRONT = List.of("storefront", "amount", "currency", "date", "options");
  private static final List<String> LOCALE = List.of("locale", "currency", "amount", "options");

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    for (String name : List.of("price_format", "price_format_minor", "price_format_micros", "price_error", "price_spoken",
        "price_result", "price_format_locale", "price_error_locale", "price_spoken_locale", "price_result_locale")) {
      ExpressionInfo info = new ExpressionInfo(PriceExpression.class.getName(), name);
      Function1<Seq<Expression>, Expression> builder = arguments -> create(name, CollectionConverters.asJava(arguments));
      extensions.injectFunction(new Tuple3<>(new FunctionIdentifier(name), info, builder));
    }
    return BoxedUnit.UNIT;
  }

  private static Expression create(String name, List<Expression> arguments) {
    List<String> parameters = name.endsWith("_locale") ? LOCALE : STOREFRONT;
    List<String> names = new ArrayList<>();
    List<Expression> values = new ArrayList<>();
    String options = "";
    for (int index = 0; index < arguments.size(); index++) {
      Expression value = arguments.get(index);
      String parameter = index < parameters.size() ? parameters.get(index) : "";
      if (value instanceof NamedArgumentExpression) {
        parameter = ((NamedArgumentExpression) value).key().toLowerCase(Locale.ROOT);
        value = ((NamedArgumentExpression) value).value();
      } else if (index == 2 && arguments.size() == 3 && parameters == STOREFRONT && value.dataType() instanceof DateType) {
        parameter = "date";
      }
      if (!parameters.contains(parameter) || names.contains(parameter)) {
        throw new IllegalArgumentException(
            name + ": argument " + (index + 1) + " is unknown, or passed twice; pass " + parameters);
      }
      if (parameter.equals("options")) {
        options = constant(value);
      } else {
        names.add(parameter);
        values.add(value);
      }
    }
    for (String parameter : parameters.subList(0, parameters == LOCALE ? 3 : 2)) {
      if (!names.contains(parameter)) {
        throw new IllegalArgumentException(name + ": there is no " + parameter + "; pass " + parameters);
      }
    }
    PriceFunction function = new PriceFunction(name, options);
    for (int index = 0; index < names.size(); index++) {
      check(names.get(index), values.get(index).dataType(), function.hasMajorUnits);
    }
    return new PriceExpression(function, names, PriceExpression.seq(values));
  }

  /** Returns the text of options. They belong to the query and not to a row. */
  private static String constant(Expression options) {
    if (!options.foldable() || !isText(options.dataType())) {
      throw new IllegalArgumentException("options: the text is not constant; pass a literal, such as 'width=iso'");
    }
    UTF8String text = (UTF8String) options.eval(null);
    return text == null ? "" : text.toString();
  }

  private static boolean isText(DataType type) {
    return type instanceof StringType || type instanceof NullType;
  }

  /** Refuses the types that the functions for Python refuse. */
  private static void check(String argument, DataType type, boolean hasMajorUnits) {
    boolean isInteger = type instanceof IntegralType;
    boolean isAllowed = isText(type);
    String fix = "; pass a text column";
    if (argument.equals("date")) {
      isAllowed |= type instanceof DateType;
      fix = "; pass a column of dates or text";
    } else if (argument.equals("amount")) {
      isAllowed = isInteger || type instanceof NullType || hasMajorUnits && (isText(type) || type instanceof DecimalType);
      fix = type instanceof FractionalType && !(type instanceof DecimalType)
          ? ", which cannot hold most prices exactly; store amounts as decimals, text or integers, or pass CAST(amount AS"
              + " DECIMAL(18, 2)), which rounds to two decimals"
          : hasMajorUnits ? "; pass a decimal, text or integer column"
          : "; pass integers, or the unit of decimals and text, which is major";
    }
    if (!isAllowed) throw new IllegalArgumentException(argument + ": the column has the type " + type.simpleString() + fix);
  }
}
